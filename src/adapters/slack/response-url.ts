/** The address that comes with a press or a command: what is sent there, only that person sees, wherever they are. */
import type { types } from '@slack/bolt';

/** Slack's markup, and what stands below it. */
export interface Reply {
  readonly text: string;
  readonly blocks?: readonly types.KnownBlock[];
  readonly thread?: string | undefined;
  /** In place of the message that was pressed. */
  readonly replaces?: true;
}

const sendLimitMs = 10_000;
const longest = 3_000;

/** Rejects when it was not taken: after half an hour, or the fifth time. */
export async function sendReply(responseUrl: string, reply: Reply): Promise<void> {
  const answer = await fetch(responseUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(bodyOf(reply)),
    redirect: 'error',
    signal: AbortSignal.timeout(sendLimitMs),
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`Slack answered ${answer.status}`);
}

/** Also as the acknowledgement of a command. */
export function bodyOf(reply: Reply) {
  return { response_type: 'ephemeral', replace_original: reply.replaces === true, ...shownAs(reply) };
}

/** The fields of any message to one person. */
export function shownAs({ text, blocks = [], thread, replaces }: Reply) {
  return {
    text: text.slice(0, longest),
    // What stood below goes only when it is said what stands there now.
    ...((blocks.length > 0 || replaces === true) && { blocks: [section(text), ...blocks] }),
    ...(thread !== undefined && { thread_ts: thread }),
  };
}

export function section(text: string): types.SectionBlock {
  return { type: 'section', text: { type: 'mrkdwn', text: text.slice(0, longest) }, expand: true };
}
