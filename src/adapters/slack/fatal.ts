/** Why Slack will not have the bot at all, in one sentence with what to do. */
import { WebAPIPlatformError } from '@slack/web-api';
import { TutorError } from '../../domain/errors.ts';

export class SlackRefusedError extends TutorError {
  readonly code = 'slack.refused';
  constructor(
    message: string,
    readonly hint: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Slack did not answer: trying again may help. */
export class SlackAwayError extends TutorError {
  readonly code = 'slack.away';
  readonly hint = 'Docent goes on trying; if it lasts, check the connection and SLACK_API_URL.';
}

const page = 'of the app (https://api.slack.com/apps)';
const botFix = `Copy the "Bot User OAuth Token" again from the page "OAuth & Permissions" ${page}; install the app there if it is not.`;
const appFix = `Make a new token with the scope connections:write on the page "Basic Information" ${page}, below "App-Level Tokens".`;

const refusals: Readonly<Record<'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN', Readonly<Record<string, string>>>> = {
  SLACK_BOT_TOKEN: {
    invalid_auth: botFix,
    not_authed: botFix,
    token_revoked: `It was revoked. ${botFix}`,
    token_expired: `It has expired: turn token rotation off on the page "OAuth & Permissions" ${page}, and copy the new token.`,
    account_inactive: `The app was removed from the workspace, or the workspace is gone. ${botFix}`,
    not_allowed_token_type: `It is a token of another kind. ${botFix}`,
    team_access_not_granted: 'Ask an administrator of the organization to let the app into the workspace.',
    two_factor_setup_required: 'The workspace wants a second factor; an administrator of it can say more.',
  },
  SLACK_APP_TOKEN: {
    invalid_auth: appFix,
    not_authed: appFix,
    token_revoked: `It was revoked. ${appFix}`,
    token_expired: `It has expired. ${appFix}`,
    account_inactive: `The app or its workspace is gone. ${appFix}`,
    not_allowed_token_type: `It is a token of another kind. ${appFix}`,
    missing_scope: `It lacks the scope connections:write. ${appFix}`,
    user_removed_from_team: `Whoever made it left the workspace. ${appFix}`,
    team_disabled: 'The workspace was closed.',
  },
};

/** What a call with one of the two tokens failed with. Anything that is not known may pass. */
export function refusalOf(
  setting: keyof typeof refusals,
  error: unknown,
): SlackRefusedError | SlackAwayError {
  const options = { cause: error };
  const code = error instanceof WebAPIPlatformError ? error.data.error : undefined;
  const fix = code === undefined ? undefined : refusals[setting][code];
  if (fix !== undefined) return new SlackRefusedError(`Slack refuses ${setting} (${code}).`, fix, options);
  const why =
    code ?? (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').slice(0, 200);
  return new SlackAwayError(`Slack cannot be reached: ${why.replace(/\.$/, '')}.`, options);
}
