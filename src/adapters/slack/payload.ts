/** A message as Slack takes it: blocks, the text for notifications, and that nothing in it unfolds or notifies. */
import type { types } from '@slack/bolt';
import type { SurfaceMessage } from '../../domain/surface-message.ts';
import type { AnswerAction } from '../../gateway/answer-press.ts';
import { buttonWords } from '../../gateway/button-words.ts';
import { askAnyway, type CardPlace, cardBlocks } from './card.ts';
import { controlBlocks } from './control-blocks.ts';
import { buttonId, voteAction } from './custom-ids.ts';
import { cut } from './cut.ts';
import { slackMarkdown } from './markdown.ts';
import { mrkdwn } from './mrkdwn.ts';
import { idOf } from './place.ts';
import { tableAtEnd } from './table-block.ts';
import { tracePlan } from './trace-block.ts';

/** Pages of this size stay below what an edit may hold, and below what Slack folds. Unit: UTF-16 units. */
export const maxPageChars = 3_000;
/** Slack's limits. Unit: characters. */
const max = { markdown: 12_000, notification: 3_000, section: 3_000, button: 75 };

/** Of a post; an edit unfolds nothing. */
export const folded = { unfurl_links: false, unfurl_media: false } as const;

/** What a message says: blocks, and the text for notifications; or words alone. */
export interface Fields {
  readonly text?: string;
  readonly blocks?: readonly types.KnownBlock[];
  readonly markdown_text?: string;
  readonly link_names: false;
  readonly parse: 'none';
}

/** The fields of a post or an edit, but for its place. `textOnly` where Slack takes no such blocks. */
export function payloadOf(message: SurfaceMessage, place: CardPlace, textOnly = false): Fields {
  // Said every time: what is left out may be found and linked.
  const unlinked = { link_names: false, parse: 'none' } as const;
  if (textOnly) return { ...unlinked, markdown_text: textOf(message) };
  return { ...unlinked, text: mrkdwn(message.text, max.notification), blocks: blocksOf(message, place) };
}

/** What stands below a message that has grown. */
export function endBlocks(message: SurfaceMessage, place: CardPlace): types.KnownBlock[] {
  return buttonsOf(message, place);
}

function blocksOf(message: SurfaceMessage, place: CardPlace): types.KnownBlock[] {
  const { kind, state, text } = message;
  if (kind === 'trace') return traceBlocks(message, place);
  const split = state === 'live' ? undefined : tableAtEnd(text);
  const body: types.KnownBlock[] =
    split === undefined
      ? [markdown(textOf(message))]
      : [...(split.before === '' ? [] : [markdown(slackMarkdown(split.before))]), split.table];
  return [...body, ...buttonsOf(message, place)];
}

function markdown(text: string): types.MarkdownBlock {
  return { type: 'markdown', text };
}

/** A reminder reaches its owner. */
function textOf({ text, calls }: SurfaceMessage): string {
  const shown = slackMarkdown(text);
  return cut(calls === undefined ? shown : `<@${idOf(calls)}> ${shown}`, max.markdown);
}

/** One line is left of a trace, with a button that shows the whole. */
function traceBlocks(message: SurfaceMessage, place: CardPlace): types.KnownBlock[] {
  const { state, text, handle } = message;
  if (state === 'live') return [tracePlan(text)];
  const line = { type: 'mrkdwn', text: mrkdwn(text, max.section) } as const;
  if (handle === undefined) return [{ type: 'context', elements: [line] }];
  const value = buttonId({ ...handle, action: 'thinking', conversation: place.conversation });
  const label = buttonWords(place.locale).thinking;
  return [{ type: 'section', text: line, accessory: button('thinking', label, value) }];
}

function buttonsOf(message: SurfaceMessage, place: CardPlace): types.KnownBlock[] {
  const { kind, state, card, handle, again, sources, waitsFor, controls } = message;
  if (card !== undefined) return cardBlocks(card, state, place);
  if (controls !== undefined) return controlBlocks(controls);
  if (waitsFor !== undefined) return [askAnyway(waitsFor.callId, place)];
  if (handle === undefined || kind !== 'answer') return [];
  const words = buttonWords(place.locale);
  const idFor = (action: AnswerAction) => buttonId({ ...handle, action, conversation: place.conversation });
  const named = (action: AnswerAction, label: string) => button(action, label, idFor(action));
  if (state === 'live') return [{ type: 'actions', elements: [named('stop', words.stop)] }];
  const actions: types.ActionsBlock = {
    type: 'actions',
    elements: [
      ...(again === undefined ? [] : [named('again', state === 'failed' ? words.retry : words.again)]),
      ...(sources === undefined ? [] : [named('sources', `${words.sources} (${sources})`)]),
      named('remove', '🗑️'),
    ],
  };
  if (state !== 'final') return [actions];
  const vote: types.ContextActionsBlock = {
    type: 'context_actions',
    elements: [
      {
        type: 'feedback_buttons',
        action_id: voteAction,
        positive_button: { text: plain('👍'), value: idFor('up') },
        negative_button: { text: plain('👎'), value: idFor('down') },
      },
    ],
  };
  return [actions, vote];
}

function button(action: AnswerAction, label: string, value: string): types.Button {
  return { type: 'button', action_id: action, text: plain(cut(label, max.button)), value };
}

function plain(text: string): types.PlainTextElement {
  return { type: 'plain_text', text, emoji: true };
}
