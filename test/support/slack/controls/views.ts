/** What a test sees of the world: plain objects with names instead of ids where a person would read names. */
import type { Interaction } from '../events/interactions.ts';
import type { Slack } from '../slack.ts';
import { isObject, listOf, textOf } from '../web/method.ts';
import { settleStream } from '../web/stream-state.ts';
import { type Json, type Message, newest, type Task, type Version, type View } from '../world/world.ts';

export interface ShownButton {
  readonly label: string;
  readonly actionId: string;
  readonly blockId: string;
  readonly value: string;
  readonly style: string;
  readonly url: string;
}

/** Everything else that can be chosen or filled in: selects, checkboxes, inputs. */
export interface ShownInput {
  readonly type: string;
  readonly actionId: string;
  readonly blockId: string;
  readonly options: readonly { readonly label: string; readonly value: string }[];
}

export interface ShownStream {
  readonly state: 'streaming' | 'stopped' | 'stopped_by_user' | 'expired';
  readonly markdown: string;
  readonly plan: string;
  readonly tasks: readonly Task[];
}

export interface ShownMessage {
  readonly ts: string;
  readonly channelId: string;
  readonly channel: string;
  /** `ts` of the root of the thread that it stands in. */
  readonly thread: string | undefined;
  readonly author: string;
  readonly subtype: string | undefined;
  /** The field `text`: what notifications say, and the message itself where there are no blocks. */
  readonly text: string;
  /** What is read in the channel: the text, or the texts of the blocks line by line. */
  readonly shown: string;
  /** Every `shown` it had, oldest first. */
  readonly shownBefore: readonly string[];
  /** When each of them came. Unit: milliseconds of the fake's clock. */
  readonly times: readonly number[];
  readonly blocks: readonly Json[];
  readonly buttons: readonly ShownButton[];
  readonly inputs: readonly ShownInput[];
  readonly files: readonly {
    readonly id: string;
    readonly name: string;
    readonly size: number;
    readonly text: string;
  }[];
  readonly metadata: Json | undefined;
  readonly stream: ShownStream | undefined;
  /** Who was really notified by name, and which groups: `channel`, `here`, `everyone`, handles. */
  readonly pings: { readonly users: readonly string[]; readonly groups: readonly string[] };
  /** Emoji → names. */
  readonly reactions: Readonly<Record<string, readonly string[]>>;
  readonly isBroadcast: boolean;
  readonly isDeleted: boolean;
  readonly wasEdited: boolean;
  /** Name of the only person who sees it. */
  readonly onlyFor: string | undefined;
}

export interface ShownView {
  readonly id: string;
  readonly type: 'modal' | 'home';
  readonly title: string;
  readonly callbackId: string;
  readonly privateMetadata: string;
  readonly shown: string;
  readonly blocks: readonly Json[];
  readonly buttons: readonly ShownButton[];
  readonly inputs: readonly ShownInput[];
  readonly hash: string;
  readonly isOpen: boolean;
}

export interface ShownInteraction {
  readonly id: string;
  readonly kind: string;
  readonly by: string;
  readonly triggerId: string;
  /** Time from its dispatch to the acknowledgement. Unit: milliseconds. */
  readonly acknowledgedAfterMs: number | undefined;
  /** What the person was told instead. */
  readonly error: string | undefined;
  /** What the acknowledgement carried. */
  readonly answer: unknown;
  readonly views: readonly ShownView[];
  /** What was said to its response URL and in its acknowledgement. */
  readonly said: readonly ShownMessage[];
}

/** Elements that people can use, in order, with the block that they stand in. */
export function elementsIn(
  blocks: readonly unknown[],
): { readonly blockId: string; readonly element: Json }[] {
  return blocks.filter(isObject).flatMap((block) => {
    const blockId = textOf(block['block_id']);
    const own = [...listOf(block['elements']), block['element'], block['accessory']];
    return own
      .filter(isObject)
      .filter((each) => textOf(each['action_id']) !== '' || each['type'] === 'button')
      .map((element) => ({ blockId, element }));
  });
}

const written = (value: unknown): string => (isObject(value) ? textOf(value['text']) : textOf(value));

/** The words of a block as a person reads them. */
function words(block: unknown): readonly string[] {
  if (!isObject(block)) return [];
  switch (block['type']) {
    case 'section':
      return [written(block['text']), ...listOf(block['fields']).map(written)].filter((each) => each !== '');
    case 'header':
    case 'markdown':
      return [written(block['text'])];
    case 'context':
      return [listOf(block['elements']).map(written).join(' ')];
    case 'input':
      return [written(block['label'])];
    case 'image':
      return [`[${textOf(block['alt_text'])}]`];
    case 'table':
      return listOf(block['rows']).map((row) => listOf(row).map(cell).join(' | '));
    case 'rich_text':
      return [leaves(block).join('')];
    case 'task_card':
      return [written(block['title'])];
    case 'plan':
      return [written(block['title']), ...listOf(block['tasks']).flatMap(words)];
    default:
      return [];
  }
}

const cell = (value: unknown): string =>
  isObject(value) && value['type'] === 'rich_text' ? leaves(value).join('') : written(value);

function leaves(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(leaves);
  if (!isObject(value)) return [];
  if (value['type'] === 'user') return [`<@${textOf(value['user_id'])}>`];
  if (typeof value['text'] === 'string') return [value['text']];
  return leaves(value['elements']);
}

export function viewsOf(slack: Slack) {
  const { world } = slack;
  const nameOf = (id: string): string => world.people.get(id)?.name ?? world.groups.get(id)?.handle ?? id;

  const shownOf = ({ text, markdown, blocks }: Version): string =>
    blocks.length === 0
      ? text
      : [...(markdown === undefined || markdown === '' ? [] : [markdown]), ...blocks.flatMap(words)].join(
          '\n',
        );

  const controlsIn = (blocks: readonly Json[]) => {
    const all = elementsIn(blocks);
    const buttons = all.flatMap(({ blockId, element }): ShownButton[] => {
      const one = (button: Json): ShownButton => ({
        label: written(button['text']),
        actionId: textOf(element['action_id']),
        blockId,
        value: textOf(button['value']),
        style: textOf(button['style']),
        url: textOf(button['url']),
      });
      if (element['type'] === 'feedback_buttons')
        return [element['positive_button'], element['negative_button']].filter(isObject).map(one);
      return element['type'] === 'button' || element['type'] === 'icon_button' ? [one(element)] : [];
    });
    const inputs = all
      .filter(
        ({ element }) => !['button', 'icon_button', 'feedback_buttons'].includes(textOf(element['type'])),
      )
      .map(
        ({ blockId, element }): ShownInput => ({
          type: textOf(element['type']),
          actionId: textOf(element['action_id']),
          blockId,
          options: [
            ...listOf(element['options']),
            ...listOf(element['option_groups']).flatMap((group) => listOf((group as Json)['options'])),
          ]
            .filter(isObject)
            .map((option) => ({ label: written(option['text']), value: textOf(option['value']) })),
        }),
      );
    return { buttons, inputs };
  };

  const showMessage = (message: Message): ShownMessage => {
    settleStream(slack, message);
    const version = newest(message);
    const { stream } = message;
    return {
      ts: message.ts,
      channelId: message.channelId,
      channel: world.channels.get(message.channelId)?.name ?? '',
      thread: message.threadTs,
      author: nameOf(message.userId),
      subtype: message.subtype,
      text: version.text,
      shown: shownOf(version),
      shownBefore: message.versions.map(shownOf),
      times: message.versions.map(({ at }) => at),
      blocks: version.blocks,
      ...controlsIn(version.blocks),
      files: message.files.flatMap((id) => {
        const file = world.files.get(id);
        return file === undefined
          ? []
          : [{ id, name: file.name, size: file.size, text: file.bytes.toString('utf8') }];
      }),
      metadata: message.metadata,
      stream: stream && {
        state: stream.state,
        markdown: stream.markdown,
        plan: stream.plan,
        tasks: [...stream.tasks.values()],
      },
      pings: { users: message.pings.users.map(nameOf), groups: message.pings.groups.map(nameOf) },
      reactions: Object.fromEntries(
        [...message.reactions]
          .filter(([, users]) => users.size > 0)
          .map(([name, users]) => [name, [...users].map(nameOf)]),
      ),
      isBroadcast: message.isBroadcast,
      isDeleted: message.isDeleted,
      wasEdited: message.wasEdited,
      onlyFor: message.onlyFor === undefined ? undefined : nameOf(message.onlyFor),
    };
  };

  const showView = (view: View): ShownView => {
    const blocks = listOf(view.body['blocks']) as readonly Json[];
    return {
      id: view.id,
      type: view.type,
      title: written(view.body['title']),
      callbackId: textOf(view.body['callback_id']),
      privateMetadata: textOf(view.body['private_metadata']),
      shown: blocks.flatMap(words).join('\n'),
      blocks,
      ...controlsIn(blocks),
      hash: view.hash,
      isOpen: view.isOpen,
    };
  };

  const showInteraction = (each: Interaction): ShownInteraction => ({
    id: each.id,
    kind: each.kind,
    by: nameOf(each.userId),
    triggerId: each.triggerId,
    acknowledgedAfterMs: each.ackedAfterMs,
    error: each.error,
    answer: each.answer,
    views: each.views.flatMap((id) => {
      const view = world.views.get(id);
      return view === undefined ? [] : [showView(view)];
    }),
    said: each.said.flatMap((ts) => {
      const message = world.message(each.channelId ?? '', ts);
      return message === undefined ? [] : [showMessage(message)];
    }),
  });

  return { nameOf, showMessage, showView, showInteraction };
}
