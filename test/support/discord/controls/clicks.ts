/** What people do with the bot's buttons, menus, forms and commands. Throws for what Discord's own client would not allow. */
import { type APIApplicationCommand, InteractionType } from 'discord-api-types/v10';
import type { Discord } from '../discord.ts';
import { tellInteraction } from '../gateway/events.ts';
import { namesOf } from '../world/names.ts';
import { messagePayload } from '../world/payloads.ts';
import { type Channel, type Interaction, newest } from '../world/world.ts';
import { controlsIn, type ShownInteraction, viewsOf } from './views.ts';

export function clicksOf(discord: Discord) {
  const { world } = discord;
  const names = namesOf(discord);
  const views = viewsOf(discord);

  const begin = (
    type: InteractionType,
    who: string,
    channelId: string,
    details: Readonly<Record<string, unknown>>,
    more: Partial<Interaction> = {},
  ): ShownInteraction => {
    const id = world.newId();
    const interaction: Interaction = {
      id,
      token: `token-${id}-${Math.floor(discord.runtime.chance() * 1e9)}`,
      type,
      at: world.now(),
      userId: names.person(who).id,
      channelId,
      isEphemeral: false,
      followUps: [],
      ...more,
    };
    world.interactions.set(id, interaction);
    tellInteraction(discord, interaction, details);
    return views.showInteraction(interaction);
  };

  /** The button or select of a message, when this person can see and use it. */
  const usable = (who: string, messageId: string, wanted: string | undefined, isButton: boolean) => {
    const message = names.message(messageId);
    const { id } = names.person(who);
    if (message.ephemeralFor !== undefined && message.ephemeralFor !== id)
      throw new Error(`${who} does not see this message`);
    const parts = controlsIn(newest(message).components).filter(({ type }) => (type === 2) === isButton);
    const found = parts.find(
      (part) =>
        wanted === undefined ||
        part['custom_id'] === wanted ||
        part['label'] === wanted ||
        (part['emoji'] as { name?: string } | undefined)?.name === wanted,
    );
    if (found === undefined)
      throw new Error(
        `there is no ${isButton ? 'button' : 'select'} "${wanted}" on "${newest(message).content}"`,
      );
    if (found['disabled'] === true) throw new Error(`"${wanted}" is disabled`);
    if (found['style'] === 5) throw new Error(`"${wanted}" is a link`);
    return { message, found };
  };

  /** A button by its label, its emoji or its custom id. */
  const press = (who: string, messageId: string, button: string): ShownInteraction => {
    const { message, found } = usable(who, messageId, button, true);
    const { custom_id, id } = found;
    const data = { custom_id, component_type: 2, id };
    return begin(
      InteractionType.MessageComponent,
      who,
      message.channelId,
      { data },
      {
        messageId: message.id,
        customId: String(custom_id),
      },
    );
  };

  /** A button that somebody's client still shows, although it is not on the message any more. */
  const pressStale = (who: string, messageId: string, customId: string): ShownInteraction => {
    const message = names.message(messageId);
    return begin(
      InteractionType.MessageComponent,
      who,
      message.channelId,
      { data: { custom_id: customId, component_type: 2, id: 1 } },
      { messageId: message.id, customId },
    );
  };

  /** Options by label or value; `select` by custom id where a message has several. */
  const choose = (
    who: string,
    messageId: string,
    options: readonly string[],
    select?: string,
  ): ShownInteraction => {
    const { message, found } = usable(who, messageId, select, false);
    const known = (found['options'] ?? []) as readonly { readonly label: string; readonly value: string }[];
    const values = options.map((wanted) => {
      const option = known.find(({ label, value }) => label === wanted || value === wanted);
      if (option === undefined && found['type'] === 3) throw new Error(`there is no option "${wanted}"`);
      return option?.value ?? wanted;
    });
    const [least, most] = [Number(found['min_values'] ?? 1), Number(found['max_values'] ?? 1)];
    if (values.length < least || values.length > most)
      throw new Error(`between ${least} and ${most} options can be chosen, not ${values.length}`);
    const data = { custom_id: found['custom_id'], component_type: found['type'], id: found['id'], values };
    return begin(
      InteractionType.MessageComponent,
      who,
      message.channelId,
      { data },
      {
        messageId: message.id,
        customId: String(found['custom_id']),
      },
    );
  };

  /** Sends the form that an interaction opened. Texts by custom id of the input; what is not named stays empty. */
  const submit = (
    who: string,
    interactionId: string,
    texts: Readonly<Record<string, string | readonly string[]>>,
  ): ShownInteraction => {
    const opener = world.interactions.get(interactionId);
    if (opener?.modal === undefined) throw new Error('this interaction opened no form');
    const { custom_id: customId, components } = opener.modal;
    const inputs = controlsIn(components);
    for (const name of Object.keys(texts))
      if (!inputs.some((input) => input['custom_id'] === name))
        throw new Error(`the form has no input "${name}"`);
    const filled = (components as unknown as readonly Readonly<Record<string, unknown>>[]).map((part) => {
      const fill = (input: Readonly<Record<string, unknown>>) => {
        const {
          type,
          id,
          custom_id,
          value: preset = '',
          required,
          min_length: least = 0,
          max_length: most = 4_000,
        } = input;
        const given = texts[String(custom_id)] ?? (preset as string);
        if (typeof given !== 'string') return { type, id, custom_id, values: given };
        const length = [...given].length;
        if (required !== false && length === 0) throw new Error(`"${String(custom_id)}" must be filled in`);
        if (length > Number(most) || (length > 0 && length < Number(least)))
          throw new Error(`"${String(custom_id)}" takes ${Number(least)} to ${Number(most)} characters`);
        return { type, id, custom_id, value: given };
      };
      const inner = part['component'] as Readonly<Record<string, unknown>> | undefined;
      const list = (part['components'] ?? []) as readonly Readonly<Record<string, unknown>>[];
      const { type, id } = part;
      return {
        type,
        id,
        ...(inner && { component: fill(inner) }),
        ...(list.length > 0 && { components: list.map(fill) }),
      };
    });
    return begin(
      InteractionType.ModalSubmit,
      who,
      opener.channelId,
      { data: { custom_id: customId, components: filled } },
      {
        customId,
        ...(opener.messageId !== undefined && { messageId: opener.messageId }),
      },
    );
  };

  const registered = (name: string, type: number, channel: Channel): APIApplicationCommand => {
    const scopes = [channel.guildId ?? '', 'global'];
    const found = scopes
      .flatMap((scope) => world.commands.get(scope) ?? [])
      .find((each) => each.name === name && each.type === type);
    if (found === undefined) throw new Error(`no command "${name}" is registered`);
    return found;
  };

  type Option = {
    name: string;
    type: number;
    required?: boolean;
    choices?: { value: unknown }[];
    max_length?: number;
    options?: Option[];
  };

  const optionValues = (options: readonly Option[], values: Readonly<Record<string, unknown>>) => {
    for (const name of Object.keys(values))
      if (!options.some((option) => option.name === name))
        throw new Error(`the command has no option "${name}"`);
    return options.flatMap(({ name, type, required, choices, max_length: most = 6_000 }) => {
      const value = values[name];
      if (value === undefined) {
        if (required === true) throw new Error(`option "${name}" is required`);
        return [];
      }
      if (choices !== undefined && !choices.some((choice) => choice.value === value))
        throw new Error(`${JSON.stringify(value)} is none of the choices of "${name}"`);
      if (typeof value === 'string' && value.length > most)
        throw new Error(`"${name}" takes ${most} characters`);
      return [{ name, type, value }];
    });
  };

  /** `name` may be two words for a subcommand. */
  const command = (
    who: string,
    name: string,
    values: Readonly<Record<string, unknown>> = {},
    { in: where = 'general' }: { readonly in?: string } = {},
  ): ShownInteraction => {
    const channel = names.channel(where, who);
    const [first = '', sub] = name.split(' ');
    const {
      id,
      type,
      options = [],
    } = registered(first, 1, channel) as unknown as { id: string; type: number; options?: Option[] };
    const part = sub === undefined ? undefined : options.find((each) => each.name === sub && each.type === 1);
    if (sub !== undefined && part === undefined) throw new Error(`"${first}" has no subcommand "${sub}"`);
    const given =
      part === undefined
        ? optionValues(options, values)
        : [{ name: sub, type: 1, options: optionValues(part.options ?? [], values) }];
    const data = { id, name: first, type, options: given };
    return begin(InteractionType.ApplicationCommand, who, channel.id, { data }, { commandName: first });
  };

  /** A command from the menu of a message, like "Explain this". */
  const menuCommand = (who: string, name: string, messageId: string): ShownInteraction => {
    const message = names.message(messageId);
    const channel = names.channel(message.channelId);
    const { id, type } = registered(name, 3, channel);
    const payload = messagePayload(world, discord.cdnUrl, message, { canRead: true });
    const data = { id, name, type, target_id: messageId, resolved: { messages: { [messageId]: payload } } };
    return begin(InteractionType.ApplicationCommand, who, channel.id, { data }, { commandName: name });
  };

  /** Somebody types in an option that suggests values. */
  const typeOption = (
    who: string,
    name: string,
    option: string,
    value: string,
    where = 'general',
  ): ShownInteraction => {
    const channel = names.channel(where, who);
    const { id, type } = registered(name, 1, channel);
    const data = { id, name, type, options: [{ name: option, type: 3, value, focused: true }] };
    return begin(
      InteractionType.ApplicationCommandAutocomplete,
      who,
      channel.id,
      { data },
      { commandName: name },
    );
  };

  return { press, pressStale, choose, submit, command, menuCommand, typeOption };
}
