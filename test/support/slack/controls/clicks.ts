/** What people do with buttons, selects, forms, shortcuts and commands. */
import { topView } from '../events/interactions.ts';
import type { Slack } from '../slack.ts';
import { isObject, listOf, textOf } from '../web/method.ts';
import { viewPayload } from '../web/views.ts';
import { namesOf } from '../world/names.ts';
import { messagePayload } from '../world/payloads.ts';
import { type Json, newest, type Person, type View } from '../world/world.ts';
import { elementsIn, type ShownInteraction, viewsOf } from './views.ts';

type Values = Record<string, Record<string, Json>>;

export function clicksOf(slack: Slack) {
  const { world, interactions } = slack;
  const names = namesOf(slack);
  const views = viewsOf(slack);
  /** What somebody chose in a message or view and has not sent yet. */
  const states = new Map<string, Values>();

  /** Who presses something in a channel is in it. */
  const enter = ({ id }: Person, channelId: string): void => {
    world.channels.get(channelId)?.members.add(id);
  };

  const stateOf = (place: string): Values => {
    const known = states.get(place) ?? {};
    states.set(place, known);
    return known;
  };

  const optionsOf = (element: Json): readonly Json[] =>
    [
      ...listOf(element['options']),
      ...listOf(element['option_groups']).flatMap((group) => listOf((group as Json)['options'])),
    ].filter(isObject);

  /** By value or by label. */
  const chosen = (element: Json, wanted: string): Json => {
    const found = optionsOf(element).find(
      (option) =>
        option['value'] === wanted || (isObject(option['text']) && option['text']['text'] === wanted),
    );
    if (found === undefined) throw new Error(`there is no option "${wanted}"`);
    return found;
  };

  const filled = (element: Json, value: string | readonly string[]): Json => {
    const type = textOf(element['type']);
    const many = typeof value === 'string' ? [value] : value;
    if (type === 'checkboxes' || type.startsWith('multi_'))
      return { type, selected_options: many.map((each) => chosen(element, each)) };
    if (['static_select', 'radio_buttons', 'overflow'].includes(type))
      return { type, selected_option: chosen(element, many[0] ?? '') };
    if (type === 'datepicker') return { type, selected_date: many[0] };
    if (type === 'timepicker') return { type, selected_time: many[0] };
    return { type, value: many[0] ?? null };
  };

  interface Surface {
    readonly key: string;
    readonly blocks: readonly Json[];
    readonly origin: { channelId?: string; messageTs?: string; viewId?: string };
    readonly payload: Json;
  }

  /** A message by its `ts`, a view by its id, or `home`. */
  const surfaceOf = (who: string, at: string): Surface => {
    const person = names.person(who);
    const view = at === 'home' ? slack.homeOf(person.id) : world.views.get(at);
    if (view !== undefined)
      return {
        key: `${view.id} ${person.id}`,
        blocks: listOf(view.body['blocks']) as readonly Json[],
        origin: { viewId: view.id },
        payload: {
          container: { type: 'view', view_id: view.id },
          view: { ...viewPayload(view), state: { values: stateOf(`${view.id} ${person.id}`) } },
        },
      };
    const message = names.message(at);
    if (message.onlyFor !== undefined && message.onlyFor !== person.id)
      throw new Error(`${who} does not see this message`);
    enter(person, message.channelId);
    return {
      key: `${message.ts} ${person.id}`,
      blocks: newest(message).blocks,
      origin: { channelId: message.channelId, messageTs: message.ts },
      payload: {
        container: {
          type: 'message',
          message_ts: message.ts,
          channel_id: message.channelId,
          is_ephemeral: message.onlyFor !== undefined,
          ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
        },
        ...(message.onlyFor === undefined && { message: messagePayload(world, slack.fileUrl, message) }),
        state: { values: stateOf(`${message.ts} ${person.id}`) },
      },
    };
  };

  const act = (who: string, surface: Surface, blockId: string, action: Json): ShownInteraction => {
    const { origin, payload } = surface;
    const full = { ...action, block_id: blockId, action_ts: world.nextTs() };
    return views.showInteraction(
      interactions.begin(
        names.person(who),
        'interactive',
        'block_actions',
        { ...payload, actions: [full] },
        origin,
      ),
    );
  };

  const isCalled = (element: Json, name: string): boolean =>
    element['action_id'] === name ||
    element['value'] === name ||
    (isObject(element['text']) && element['text']['text'] === name);

  return {
    /** A button by label, action id or value: of a message, of a view, or of `home`. */
    press(who: string, at: string, name: string): ShownInteraction {
      const surface = surfaceOf(who, at);
      for (const { blockId, element } of elementsIn(surface.blocks)) {
        const actionId = textOf(element['action_id']);
        if (element['type'] === 'feedback_buttons') {
          const one = [element['positive_button'], element['negative_button']]
            .filter(isObject)
            .find((each) => isCalled(each, name));
          if (one !== undefined)
            return act(who, surface, blockId, {
              type: 'feedback_buttons',
              action_id: actionId,
              value: one['value'],
              text: one['text'],
            });
        } else if (['button', 'icon_button'].includes(textOf(element['type'])) && isCalled(element, name))
          return act(who, surface, blockId, {
            type: element['type'],
            action_id: actionId,
            ...(element['value'] !== undefined && { value: element['value'] }),
            text: element['text'],
          });
      }
      throw new Error(`there is no button "${name}" in ${JSON.stringify(surface.blocks)}`);
    },

    /** A select or checkboxes by action id; the only one when there is one. */
    choose(who: string, at: string, value: string | readonly string[], actionId?: string): ShownInteraction {
      const surface = surfaceOf(who, at);
      const inputs = elementsIn(surface.blocks).filter(
        ({ element }) =>
          !['button', 'icon_button', 'feedback_buttons'].includes(textOf(element['type'])) &&
          (actionId === undefined || element['action_id'] === actionId),
      );
      const [found] = inputs;
      if (found === undefined) throw new Error(`nothing to choose from in ${JSON.stringify(surface.blocks)}`);
      const { blockId, element } = found;
      const id = textOf(element['action_id']);
      const given = filled(element, value);
      stateOf(surface.key)[blockId] = { ...stateOf(surface.key)[blockId], [id]: given };
      return act(who, surfaceOf(who, at), blockId, { action_id: id, ...given });
    },

    /** The form that a person has before them, or one by its id; values by block id or action id. */
    submit(
      who: string,
      values: Readonly<Record<string, string | readonly string[]>> = {},
      viewId?: string,
    ): ShownInteraction {
      const person = names.person(who);
      const view = viewId === undefined ? topView(slack, person.id) : world.views.get(viewId);
      if (view === undefined) throw new Error(`${who} has no form open`);
      const state: Values = {};
      for (const { blockId, element } of elementsIn(listOf(view.body['blocks']))) {
        const id = textOf(element['action_id']);
        if (['button', 'icon_button'].includes(textOf(element['type']))) continue;
        const given = values[blockId] ?? values[id];
        state[blockId] = {
          ...state[blockId],
          [id]: given === undefined ? initial(element) : filled(element, given),
        };
      }
      return views.showInteraction(
        interactions.begin(
          person,
          'interactive',
          'view_submission',
          { view: { ...viewPayload(view), state: { values: state } }, response_urls: [] },
          { viewId: view.id },
        ),
      );
    },

    /** Tells the app only when the view asked for it. */
    closeView(who: string, viewId?: string): void {
      const person = names.person(who);
      const view = viewId === undefined ? topView(slack, person.id) : world.views.get(viewId);
      if (view === undefined) throw new Error(`${who} has no form open`);
      view.isOpen = false;
      if (view.body['notify_on_close'] === true)
        interactions.begin(
          person,
          'interactive',
          'view_closed',
          { view: viewPayload(view), is_cleared: false },
          { viewId: view.id },
        );
    },

    /** Slash commands cannot be used in threads. */
    command(who: string, command: string, text = '', where = 'general'): ShownInteraction {
      const person = names.person(who);
      const channel = names.channel(where, who);
      enter(person, channel.id);
      return views.showInteraction(
        interactions.begin(
          person,
          'slash_commands',
          'command',
          { command, text: names.written(text, channel) },
          { channelId: channel.id },
        ),
      );
    },

    messageShortcut(who: string, callbackId: string, ts: string): ShownInteraction {
      const message = names.message(ts);
      const person = names.person(who);
      enter(person, message.channelId);
      return views.showInteraction(
        interactions.begin(
          person,
          'interactive',
          'message_action',
          {
            callback_id: callbackId,
            message_ts: ts,
            message: messagePayload(world, slack.fileUrl, message),
          },
          { channelId: message.channelId, messageTs: ts },
        ),
      );
    },

    shortcut(who: string, callbackId: string): ShownInteraction {
      return views.showInteraction(
        interactions.begin(names.person(who), 'interactive', 'shortcut', { callback_id: callbackId }),
      );
    },

    interaction(id: string): ShownInteraction {
      const found = interactions.all.get(id);
      if (found === undefined) throw new Error(`there is no interaction ${id}`);
      return views.showInteraction(found);
    },

    /** The form that a person has before them now. */
    openView(who: string): ReturnType<typeof views.showView> | undefined {
      const view: View | undefined = topView(slack, names.person(who).id);
      return view === undefined ? undefined : views.showView(view);
    },
  };
}

/** What an element holds before anybody touches it. */
function initial(element: Json): Json {
  const type = textOf(element['type']);
  if (type === 'checkboxes' || type.startsWith('multi_'))
    return { type, selected_options: listOf(element['initial_options']) };
  if (['static_select', 'radio_buttons'].includes(type))
    return { type, selected_option: element['initial_option'] ?? null };
  return { type, value: element['initial_value'] ?? null };
}
