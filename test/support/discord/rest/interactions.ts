/** Answers to interactions: one within three seconds, edits and follow-ups for a quarter of an hour. */
import { InteractionResponseType, InteractionType, MessageFlags, MessageType } from 'discord-api-types/v10';
import { tellDeleted, tellMessage } from '../gateway/events.ts';
import { rules } from '../rules.ts';
import { type Channel, type Interaction, type Message, newest } from '../world/world.ts';
import { checkModal, type Json, withIds } from './check-components.ts';
import { check, createOwn, interactionFlags, madeBefore } from './create-message.ts';
import { editOwn } from './edit-message.ts';
import { payloadOf } from './payload-of.ts';
import { Form, refusal } from './refusal.ts';
import type { Handle, RestCall, RouteTable } from './rest-call.ts';

const { Loading, Ephemeral } = MessageFlags;
const {
  ChannelMessageWithSource: say,
  DeferredChannelMessageWithSource: defer,
  DeferredMessageUpdate: deferUpdate,
  UpdateMessage: update,
  ApplicationCommandAutocompleteResult: suggest,
  Modal: modal,
} = InteractionResponseType;

/** Which first answers fit which interaction. */
function fitting({ type, messageId }: Interaction): readonly number[] {
  switch (type) {
    case InteractionType.MessageComponent:
      return [say, defer, deferUpdate, update, modal];
    case InteractionType.ModalSubmit:
      return messageId === undefined ? [say, defer] : [say, defer, deferUpdate, update];
    case InteractionType.ApplicationCommandAutocomplete:
      return [suggest];
    case InteractionType.ApplicationCommand:
      return [say, defer, modal];
    default:
      return [];
  }
}

const respond: Handle = (call) => {
  const { discord, world, params, query, body } = call;
  const interaction = world.interactions.get(params['interaction'] ?? '');
  if (interaction === undefined || interaction.token !== params['token'])
    throw refusal('unknown_interaction');
  if (interaction.acknowledged !== undefined) throw refusal('already_acknowledged');
  const lateMs = world.now() - interaction.at;
  if (lateMs > rules.first_response.ms)
    throw refusal('unknown_interaction', `${Math.round(lateMs)} ms after it was sent`);
  const type = Number(body['type']);
  const form = new Form();
  form.expect(fitting(interaction).includes(type), 'type', 'callback_type');
  form.done();
  const message = acknowledge({ ...call, body: (body['data'] ?? {}) as Json }, interaction, type);
  interaction.acknowledged = { type, at: world.now() };
  if (query.get('with_response') !== 'true') return { status: 204 };
  const flags = message === undefined ? 0 : newest(message).flags;
  return {
    status: 200,
    body: {
      interaction: {
        id: interaction.id,
        type: interaction.type,
        ...(message !== undefined && {
          response_message_id: message.id,
          response_message_loading: (flags & Loading) !== 0,
          response_message_ephemeral: (flags & Ephemeral) !== 0,
        }),
      },
      resource: { type, ...(message !== undefined && { message: payloadOf(discord, message) }) },
    },
  };
};

/** Does what the first answer says. Returns the message that is the answer from now on, if there is one. */
function acknowledge(call: RestCall, interaction: Interaction, type: number): Message | undefined {
  const { body, world } = call;
  switch (type) {
    case say:
      return answer(call, interaction);
    case defer: {
      const form = new Form();
      form.expect((Number(body['flags'] ?? 0) & ~Ephemeral) === 0, 'data.flags', 'settable_flags');
      form.done();
      return think(call, interaction);
    }
    case deferUpdate:
      if (interaction.messageId !== undefined) interaction.originalId = interaction.messageId;
      return undefined;
    case update: {
      const message = world.messages.get(interaction.messageId ?? '');
      if (message === undefined || message.isDeleted) throw refusal('unknown_message');
      editOwn(call, message, 'users');
      interaction.originalId = message.id;
      return message;
    }
    case modal: {
      const form = new Form();
      checkModal(body, form);
      form.done();
      const components = withIds((body['components'] ?? []) as unknown[]);
      interaction.modal = { ...body, components } as unknown as NonNullable<Interaction['modal']>;
      return undefined;
    }
    default: {
      const choices = (body['choices'] ?? []) as readonly unknown[];
      const form = new Form();
      form.expect(choices.length <= rules.autocomplete_choices.max, 'data.choices', 'autocomplete_choices');
      form.done();
      interaction.suggestions = choices;
      return undefined;
    }
  }
}

const placeOf = ({ world }: RestCall, interaction: Interaction): Channel => {
  const channel = world.channels.get(interaction.channelId);
  if (channel === undefined) throw refusal('unknown_channel');
  return channel;
};

/** What the first message of an answer has besides its text. */
const first = ({ id, type }: Interaction): Partial<Message> => ({
  interactionId: id,
  type: type === InteractionType.ApplicationCommand ? MessageType.ChatInputCommand : MessageType.Default,
});

function answer(call: RestCall, interaction: Interaction): Message {
  const checked = check(call, interaction.channelId, interactionFlags);
  interaction.isEphemeral = (checked.version.flags & Ephemeral) !== 0;
  const more = {
    ...first(interaction),
    ...(interaction.isEphemeral && { ephemeralFor: interaction.userId }),
  };
  const message = createOwn(call, placeOf(call, interaction), checked, more, 'users');
  interaction.originalId = message.id;
  return message;
}

/** "Docent is thinking …" */
function think(call: RestCall, interaction: Interaction): Message {
  const { discord, world, body } = call;
  interaction.isEphemeral = (Number(body['flags'] ?? 0) & Ephemeral) !== 0;
  const message = world.addMessage(
    {
      channelId: placeOf(call, interaction).id,
      authorId: world.bot.id,
      ...first(interaction),
      ...(interaction.isEphemeral && { ephemeralFor: interaction.userId }),
    },
    { flags: Loading | (interaction.isEphemeral ? Ephemeral : 0) },
  );
  interaction.originalId = message.id;
  tellMessage(discord, 'MESSAGE_CREATE', message);
  return message;
}

/** The interaction whose token is in the path, acknowledged and still alive. */
function open({ world, params }: RestCall): Interaction {
  const interaction = [...world.interactions.values()].find(({ token }) => token === params['token']);
  const isKnown = interaction?.acknowledged !== undefined && params['application'] === world.applicationId;
  if (interaction === undefined || !isKnown) throw refusal('unknown_webhook');
  if (world.now() - interaction.at > rules.token_life.ms) throw refusal('token_over');
  return interaction;
}

const followUp: Handle = (call) => {
  const { discord, world } = call;
  const interaction = open(call);
  const original = world.messages.get(interaction.originalId ?? '');
  const isThinking = original !== undefined && (newest(original).flags & Loading) !== 0;
  if (isThinking && !original.isDeleted) {
    discord.journal.note(
      'follow_up_as_edit',
      interaction.customId ?? interaction.commandName ?? interaction.id,
    );
    const { flags: _flags, ...body } = call.body;
    return { status: 200, body: editOwn({ ...call, body }, original, 'users') };
  }
  const checked = check(call, interaction.channelId, interactionFlags);
  const before = madeBefore(call);
  if (before !== undefined) return { status: 200, body: payloadOf(discord, before) };
  const isEphemeral = (checked.version.flags & Ephemeral) !== 0;
  const { nonce } = call.body as { readonly nonce?: string };
  const more = {
    ...(nonce !== undefined && { nonce }),
    interactionId: interaction.id,
    ...(isEphemeral && { ephemeralFor: interaction.userId }),
  };
  const message = createOwn(call, placeOf(call, interaction), checked, more, 'users');
  interaction.followUps.push(message.id);
  return { status: 200, body: payloadOf(discord, message) };
};

function messageOf(call: RestCall): Message {
  const { world, params } = call;
  const interaction = open(call);
  const id = params['message'] === '@original' ? interaction.originalId : params['message'];
  const isOwn = id !== undefined && (id === interaction.originalId || interaction.followUps.includes(id));
  const message = isOwn ? world.messages.get(id) : undefined;
  if (message === undefined || message.isDeleted) throw refusal('unknown_message');
  return message;
}

const edit: Handle = (call) => ({ status: 200, body: editOwn(call, messageOf(call), 'users') });
const get: Handle = (call) => ({ status: 200, body: payloadOf(call.discord, messageOf(call)) });
const remove: Handle = (call) => {
  const message = messageOf(call);
  message.isDeleted = true;
  tellDeleted(call.discord, [message]);
  return { status: 204 };
};

const ownToken = { isInteraction: true, bucket: 'webhook' } as const;

export const interactions = {
  respond: ['POST /interactions/:interaction/:token/callback', respond, { isInteraction: true }],
  follow_up: ['POST /webhooks/:application/:token', followUp, ownToken],
  edit_response: ['PATCH /webhooks/:application/:token/messages/:message', edit, ownToken],
  get_response: ['GET /webhooks/:application/:token/messages/:message', get, ownToken],
  delete_response: ['DELETE /webhooks/:application/:token/messages/:message', remove, ownToken],
} as const satisfies RouteTable;
