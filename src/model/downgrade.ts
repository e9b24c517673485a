/**
 * What to leave out or rename when a service refuses a request for something we sent. One decision per refusal; the
 * adapter asks again without it and remembers what helped.
 */

import type { ServiceError } from './service-error.ts';
import { isPairingError } from './service-error-kinds.ts';

export const downgrades = [
  /** The limit of the answer goes by its newer name. */
  'max_completion_tokens',
  /** … by its older name. */
  'max_tokens',
  /** … not at all. */
  'no_max_tokens',
  'no_stream_options',
  /** Tools are described in the system message and called in the text. */
  'tools_as_text',
  'no_tool_choice',
  /** A history with calls needs the tool list even where no tool may be used. */
  'keep_tools',
  'no_temperature',
  /** A picture becomes a line that says it was there. */
  'no_images',
  'no_reasoning_replay',
  /** System text stands at the head of the first user message. */
  'no_system_role',
  /** For chat templates that want user and assistant strictly in turn. */
  'roles_in_turn',
] as const;
export type Downgrade = (typeof downgrades)[number];

/** The parts of a request that a service may refuse. */
export interface Sent {
  readonly limit: 'max_tokens' | 'max_completion_tokens' | undefined;
  /** The limit was renamed already, so a second refusal drops it. */
  readonly limitRenamed: boolean;
  readonly streamOptions: boolean;
  readonly tools: boolean;
  readonly toolChoice: boolean;
  /** There are calls in the history and no tool list. */
  readonly callsWithoutTools: boolean;
  readonly temperature: boolean;
  readonly images: boolean;
  readonly reasoning: boolean;
  readonly systemRole: boolean;
  /** A user message follows another one or a tool result. */
  readonly userOutOfTurn: boolean;
}

/**
 * The change that answers this refusal, or `undefined` when it names nothing that was sent: then asking again would
 * be refused again. Statuses: 400 and 422; 404 of routers that found no server with an ability; 500 and 501 for
 * abilities (llama.cpp answers its template's errors with 500). An error about unpaired calls is a bug of ours and
 * never a downgrade.
 */
export function downgradeFor(error: ServiceError, sent: Sent): Downgrade | undefined {
  if (isPairingError(error)) return undefined;
  switch (error.status ?? 400) {
    case 400:
    case 422:
      return byParam(error, sent) ?? byName(error.message, sent) ?? byAbility(error.message, sent);
    case 404:
      return /no endpoints found|support/i.test(error.message) ? byAbility(error.message, sent) : undefined;
    case 500:
    case 501:
      return byAbility(error.message, sent);
    default:
      return undefined;
  }
}

/** The field that names the place, possibly a path into it. */
function byParam({ param = '', message }: ServiceError, sent: Sent): Downgrade | undefined {
  const place = param.replace(/^body\./, '');
  if (sent.limit && /^max_(?:completion_)?tokens$/.test(place)) return forLimit(message, sent);
  if (sent.streamOptions && /^stream_options\b/.test(place)) return 'no_stream_options';
  if (sent.toolChoice && place === 'tool_choice') return forToolChoice(message);
  if (sent.tools && /^tools\b/.test(place)) return 'tools_as_text';
  if (sent.temperature && place === 'temperature') return 'no_temperature';
  if (sent.images && /^messages\b.*\bimage(?:_url)?\b/.test(place)) return 'no_images';
  if (sent.reasoning && /\breasoning(?:_content)?$/.test(place)) return 'no_reasoning_replay';
  return undefined;
}

/** Fields that the words name. The words must also object to something: some services quote the whole request. */
function byName(message: string, sent: Sent): Downgrade | undefined {
  if (!objects.test(message)) return undefined;
  if (sent.limit && /\bmax_(?:completion_)?tokens\b/.test(message) && !isAboutPrompt(message)) {
    return forLimit(message, sent);
  }
  if (sent.streamOptions && /stream[_ ]options|include_usage/i.test(message)) return 'no_stream_options';
  if (sent.temperature && /\btemperature\b/i.test(message)) return 'no_temperature';
  if (sent.reasoning && /\breasoning_content\b|'reasoning'/.test(message)) return 'no_reasoning_replay';
  return undefined;
}

/** What the model or its template cannot do, told by the words alone. */
function byAbility(message: string, sent: Sent): Downgrade | undefined {
  if (sent.userOutOfTurn && wantsTurns.test(message)) return 'roles_in_turn';
  if (sent.systemRole && refusesSystem.test(message)) return 'no_system_role';
  if (sent.callsWithoutTools && wantsTools.test(message)) return 'keep_tools';
  if (sent.images && (wantsText.test(message) || (aboutImages.test(message) && objects.test(message)))) {
    return 'no_images';
  }
  if (sent.tools && aboutTools.test(message) && objects.test(message)) {
    return sent.toolChoice && /tool[_ ]choice/i.test(message) ? forToolChoice(message) : 'tools_as_text';
  }
  return undefined;
}

const objects =
  /not support|n't support|unsupported|not (?:available|enabled|permitted|allowed|accepted)|no endpoints|unknown|unrecognized|unexpected|extra inputs|invalid|must (?:be|not)|only |at most|too large|out of range|requires? --|--enable-auto-tool-choice|can ?not|does not match|failed to deserialize|mmproj/i;
const aboutTools = /\btools?\b|\btool_|\bfunctions?[ _]?(?:call|declaration)/i;
const aboutImages = /\bimages?\b|image_url|\bvision\b|multi-?modal|mmproj/i;
/** A list of parts stood where the service knows only text. */
const wantsText =
  /invalid type: sequence|ChatCompletionRequestContent|expected (?:a )?string|content.{0,40}must be a string|should be a valid string/i;
const wantsTools =
  /tools? ?(?:param|=)|toolConfig|must (?:define|provide) tools|tools.{0,30}must be (?:defined|provided|specified)/i;
const wantsTurns =
  /roles? must alternate|alternat\w+ (?:between )?user|unexpected role '?user'? after|consecutive (?:user|messages)/i;
const refusesSystem =
  /system[ _](?:role|message|prompt|instruction)s?\W.{0,40}(?:not|un)[ -]?(?:support|allow|enabled)|not support '?system|unexpected role '?system|role:? '?system'?.{0,20}not support/i;

/** A value out of range is dropped at once; a name the service does not know is tried by its other name first. */
function forLimit(message: string, sent: Sent): Downgrade {
  const wrongValue = /too (?:large|big)|at most|less than|greater than|exceed|out of range/i.test(message);
  if (wrongValue || sent.limitRenamed) return 'no_max_tokens';
  return sent.limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
}

/** "At most 4096 tokens, you asked for 9000 in the messages": dropping our limit would help nobody. */
function isAboutPrompt(message: string): boolean {
  return /maximum context length/i.test(message) && !/tokens['"`]? is too large/i.test(message);
}

/** vLLM without a tool parser refuses the choice although it is the tools it cannot serve. */
function forToolChoice(message: string): Downgrade {
  return /--enable-auto-tool-choice|--tool-call-parser/.test(message) ? 'tools_as_text' : 'no_tool_choice';
}
