/** Why Discord will not have the bot at all, in one sentence with what to do. */
import { TutorError } from '../../domain/errors.ts';

const portal = 'in the developer portal (https://discord.com/developers/applications)';

export class DiscordRefusedError extends TutorError {
  readonly code = 'discord.refused';
  constructor(
    message: string,
    readonly hint: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Discord did not answer: trying again may help. */
export class DiscordAwayError extends TutorError {
  readonly code = 'discord.away';
  readonly hint = 'Docent goes on trying; if it lasts, check the connection and DISCORD_API_URL.';
}

const badToken: readonly [string, string] = [
  'Discord refuses DISCORD_TOKEN.',
  `Copy the token again from the page "Bot" ${portal}; "Reset Token" makes a new one.`,
];

/** Close codes after which trying again cannot help. */
const fatalCodes: Readonly<Record<number, readonly [string, string]>> = {
  4004: badToken,
  4010: ['Discord refuses the number of shards.', 'Leave DISCORD_SHARDS out for auto.'],
  4011: ['The bot is in too many servers for so few shards.', 'Leave DISCORD_SHARDS out for auto.'],
  4012: ['Discord does not speak this version of the gateway any more.', 'Update Docent.'],
  4013: ['Discord does not know the intents that were asked for.', 'Update Docent.'],
  4014: [
    'Discord does not let the bot read messages.',
    `Turn "Message Content Intent" on, on the page "Bot" ${portal}.`,
  ],
};

export function refusedToken(options?: ErrorOptions): DiscordRefusedError {
  return new DiscordRefusedError(...badToken, options);
}

export function refusalOfClose(code: number): DiscordRefusedError | undefined {
  const known = fatalCodes[code];
  return known && new DiscordRefusedError(...known);
}

/** What a login fails with in place of the code. */
const codeOfMessage: ReadonlyMap<string, number> = new Map([
  ['Invalid shard', 4010],
  ['Sharding is required', 4011],
  ['Used an invalid API version', 4012],
  ['Used invalid intents', 4013],
  ['Used disallowed intents', 4014],
]);

/** What a login failed with; anything that is not known may pass. */
export function refusalOfLogin(error: unknown): DiscordRefusedError | DiscordAwayError {
  const { message } = error instanceof Error ? error : new Error(String(error));
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const options = { cause: error };
  if (code === 'TokenInvalid' || code === 4004) return refusedToken(options);
  const known = fatalCodes[codeOfMessage.get(message) ?? 0];
  if (known !== undefined) return new DiscordRefusedError(...known, options);
  return new DiscordAwayError(`Discord cannot be reached: ${message.replace(/\.$/, '')}.`, options);
}
