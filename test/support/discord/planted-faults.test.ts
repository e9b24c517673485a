// Faulty adapters, each a few lines of discord.js: the fake refuses what they do or notices it. The careful one is left alone.
import {
  type ButtonInteraction,
  type Client,
  Events,
  type Message,
  type MessageCreateOptions,
  REST,
  type TextChannel,
} from 'discord.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Online, online, raw } from './lab.ts';
import { type FakeDiscord, startDiscord } from './server.ts';

let discord: FakeDiscord;
let bot: Online;
let count = 0;

beforeAll(async () => {
  discord = await startDiscord();
  bot = await online(discord);
  await discord.addRole('Tutors');
});
afterAll(async () => {
  await bot.leave();
  await discord.close();
});
beforeEach(async () => {
  await discord.clearFaults();
  await discord.rates({ shape: 'off' });
});

/** What an adapter has in hand: a question of mia in a channel, and a button of its own to be pressed. */
interface Scene {
  readonly client: Client;
  readonly room: TextChannel;
  readonly question: Message<true>;
  readonly ben: string;
  /** mia presses a button of the bot. */
  click(): Promise<ButtonInteraction>;
}

async function scene(): Promise<Scene> {
  const { client } = bot;
  const ben = (await discord.say('ben', 'hi', { event: false })).author;
  const channelId = await discord.addChannel(`room-${(count += 1)}`);
  const room = (await client.channels.fetch(channelId)) as TextChannel;
  const { id } = await discord.say('mia', '@Docent why?', { in: channelId });
  const question = await room.messages.fetch(id);
  await discord.forgetJournal();
  return {
    client,
    room,
    question,
    ben: await discord.idOf(ben),
    async click() {
      const message = await room.send(
        careful({
          content: `Shall I? ${(count += 1)}`,
          components: [row({ type: 2, style: 1, label: 'Yes', custom_id: 'yes' })],
        }),
      );
      const arrived = new Promise<ButtonInteraction>((resolve) =>
        client.once(Events.InteractionCreate, (each) => resolve(each as ButtonInteraction)),
      );
      await discord.press('mia', message.id, 'Yes');
      return arrived;
    },
  };
}

/** What came to light since the scene began: refusals, notices, and pings of anybody but the asker. */
async function evidence({ question }: Scene): Promise<string[]> {
  const [refused, notices, pings] = [await discord.refused(), await discord.notices(), await discord.pings()];
  const began = question.createdTimestamp;
  return [
    ...refused.map(({ rule }) => `refused: ${rule}`),
    ...notices.filter(({ at }) => at >= began).map(({ kind }) => `noticed: ${kind}`),
    ...pings
      .filter(({ messageId }) => BigInt(messageId) > BigInt(question.id))
      .flatMap(({ users, roles, everyone }) => [
        ...users.filter((name) => name !== 'mia'),
        ...roles,
        ...(everyone ? ['everyone'] : []),
      ])
      .map((name) => `pinged: ${name}`),
  ];
}

const row = (...components: object[]) => ({ type: 1, components }) as never;
const button = (more: object = {}) => ({
  type: 2,
  style: 1,
  label: 'Go',
  custom_id: `b${(count += 1)}`,
  ...more,
});
const careful = (options: MessageCreateOptions): MessageCreateOptions => ({
  allowedMentions: { parse: [] },
  nonce: `n${(count += 1)}`,
  enforceNonce: true,
  ...options,
});
const patch = (line: string, body: object) => raw(discord, line, { body: JSON.stringify(body) });
const threadOf = async ({ question, room }: Scene) => {
  const thread = await question.startThread({ name: 'why?' });
  return { thread, first: await thread.send(careful({ content: `trace in ${room.name}` })) };
};
const modal = (title: string, inputs = 1) => ({
  custom_id: 'form',
  title,
  components: Array.from({ length: inputs }, (_, at) => ({
    type: 18,
    label: 'Why',
    component: { type: 4, custom_id: `why${at}`, style: 1, required: false },
  })),
});

type Faulty = (scene: Scene) => Promise<unknown>;

const faults: readonly (readonly [name: string, caught: string, adapter: Faulty])[] = [
  [
    'repeats "@everyone" of the model and allows all mentions',
    'pinged: everyone',
    ({ room }) => room.send({ content: 'As @everyone knows', nonce: 'a1', enforceNonce: true }),
  ],
  [
    'lets the model ping whomever it names',
    'pinged: ben',
    ({ room, ben }) =>
      room.send(careful({ content: `ask <@${ben}>`, allowedMentions: { parse: ['users'] } })),
  ],
  [
    'lets the model ping roles',
    'pinged: Tutors',
    ({ room }) => {
      const tutors = room.guild.roles.cache.find(({ name }) => name === 'Tutors')?.id;
      return room.send(careful({ content: `ask <@&${tutors}>`, allowedMentions: { parse: ['roles'] } }));
    },
  ],
  [
    'pings the author of the message that it replies to, who is not the asker',
    'pinged: ben',
    async ({ room }) => {
      const { id } = await discord.say('ben', 'me, too', { in: room.id });
      return room.send(
        careful({
          content: 'here',
          reply: { messageReference: id },
          allowedMentions: { repliedUser: true, parse: [] },
        }),
      );
    },
  ],
  [
    'says nothing about mentions when it edits',
    'noticed: no_allowed_mentions',
    async ({ room }) => {
      const message = await room.send(careful({ content: 'one' }));
      await message.edit('two');
    },
  ],
  [
    'sends 2,001 characters',
    'refused: content_length',
    ({ room }) => room.send(careful({ content: 'x'.repeat(2_001) })),
  ],
  [
    'edits a growing answer past 2,000 characters',
    'refused: content_length',
    async ({ room }) => {
      const message = await room.send(careful({ content: 'x' }));
      await message.edit({ content: 'x'.repeat(2_001), allowedMentions: { parse: [] } });
    },
  ],
  [
    'sends an answer of white space',
    'refused: empty_message',
    ({ room }) => room.send(careful({ content: '\n \n' })),
  ],
  [
    'empties a message to take its text back',
    'refused: empty_message',
    async ({ room }) => {
      const message = await room.send(careful({ content: 'x' }));
      await message.edit({ content: '', allowedMentions: { parse: [] } });
    },
  ],
  [
    'edits in a thread that was archived',
    'refused: thread_archived',
    async (all) => {
      const { thread, first } = await threadOf(all);
      await discord.archiveThread(thread.id);
      await first.edit({ content: 'more', allowedMentions: { parse: [] } });
    },
  ],
  [
    'writes into a locked thread',
    'refused: thread_locked',
    async (all) => {
      const { thread } = await threadOf(all);
      await discord.lockThread(thread.id);
      await thread.send(careful({ content: 'more' }));
    },
  ],
  [
    'starts a second thread from one message',
    'refused: thread_exists',
    async ({ question, room }) => {
      await discord.startThread('ben', 'ours', { message: question.id });
      await room.threads.create({ name: 'mine', startMessage: question.id });
    },
  ],
  [
    'names a thread after the whole question',
    'refused: thread_name',
    ({ question }) => question.startThread({ name: 'x'.repeat(101) }),
  ],
  [
    'starts a thread where there are none',
    'refused: wrong_channel_type',
    async ({ client }) => {
      const { id, channelId } = await discord.say('mia', '@Docent here?', { in: 'lounge' });
      await client.rest.post(`/channels/${channelId}/messages/${id}/threads`, { body: { name: 'x' } });
    },
  ],
  [
    'renames its thread again and again',
    'noticed: too_fast',
    async (all) => {
      const { thread } = await threadOf(all);
      await discord.rates({ shape: 'window' });
      for (const name of ['a', 'b', 'c']) await patch(`PATCH /channels/${thread.id}`, { name });
    },
  ],
  [
    'answers an interaction twice',
    'refused: already_acknowledged',
    async ({ click, client }) => {
      const { id, token } = await click();
      for (const type of [6, 6])
        await client.rest.post(`/interactions/${id}/${token}/callback`, { body: { type }, auth: false });
    },
  ],
  [
    'answers an interaction after three seconds',
    'refused: unknown_interaction',
    async ({ click }) => {
      const interaction = await click();
      await discord.advance(3_100);
      await interaction.deferUpdate();
    },
  ],
  [
    'does not answer an interaction at all',
    'noticed: unanswered_interaction',
    async ({ click }) => {
      await click();
      await discord.advance(3_100);
    },
  ],
  [
    'defers and forgets',
    'noticed: endless_deferral',
    async ({ click }) => {
      await (await click()).deferReply();
      await discord.advance(16 * 60_000);
    },
  ],
  [
    'edits its answer after a quarter of an hour',
    'refused: token_over',
    async ({ click }) => {
      const interaction = await click();
      await interaction.reply({ content: 'one', allowedMentions: { parse: [] } });
      await discord.advance(16 * 60_000);
      await interaction.editReply({ content: 'two', allowedMentions: { parse: [] } });
    },
  ],
  [
    'follows up where it should edit what it deferred',
    'noticed: follow_up_as_edit',
    async ({ click }) => {
      const interaction = await click();
      await interaction.deferReply();
      await interaction.followUp({ content: 'private?', flags: 64, allowedMentions: { parse: [] } });
    },
  ],
  [
    'sends an ordinary message as private',
    'refused: settable_flags',
    ({ room, client }) =>
      client.rest.post(`/channels/${room.id}/messages`, { body: { content: 'for you', flags: 64 } }),
  ],
  [
    'answers a form with a form',
    'refused: callback_type',
    async ({ click, client }) => {
      const { id, token } = await click();
      const body = { type: 9, data: modal('Form') };
      await client.rest.post(`/interactions/${id}/${token}/callback`, { body, auth: false });
      const sent = await discord.submit('mia', id, {});
      await client.rest.post(`/interactions/${sent.id}/${sent.token}/callback`, { body, auth: false });
    },
  ],
  [
    'gives a form a title that is too long',
    'refused: modal_title',
    async ({ click }) => (await click()).showModal(modal('x'.repeat(46))),
  ],
  [
    'asks six things in one form',
    'refused: modal_parts',
    async ({ click }) => (await click()).showModal(modal('Form', 6)),
  ],
  [
    'posts again without a nonce after a time-out',
    'noticed: posted_twice',
    async ({ room }) => {
      await discord.fault({ on: 'create_message', how: 'slow', ms: 400 });
      const impatient = new REST({ api: discord.apiUrl, timeout: 150, retries: 1 }).setToken(discord.token);
      await impatient.post(`/channels/${room.id}/messages`, {
        body: { content: 'once', allowed_mentions: { parse: [] } },
      });
    },
  ],
  [
    'makes a new nonce for each attempt',
    'noticed: posted_twice',
    async ({ room }) => {
      await discord.fault({ on: 'create_message', how: 'unclear' });
      const hasty = new REST({ api: discord.apiUrl, retries: 0 }).setToken(discord.token);
      const attempt = () =>
        hasty.post(`/channels/${room.id}/messages`, {
          body: {
            content: 'once',
            nonce: `n${(count += 1)}`,
            enforce_nonce: true,
            allowed_mentions: { parse: [] },
          },
        });
      await attempt().catch(attempt);
    },
  ],
  [
    'sends a nonce that nobody enforces',
    'noticed: no_nonce',
    ({ room }) => room.send(careful({ content: 'x', enforceNonce: false })),
  ],
  [
    'makes a nonce of two long ids',
    'refused: nonce_length',
    ({ room, question }) => room.send(careful({ content: 'x', nonce: `${question.id}:${room.id}` })),
  ],
  [
    'edits the message of the person',
    'refused: not_author',
    ({ client, question, room }) =>
      client.rest.patch(`/channels/${room.id}/messages/${question.id}`, { body: { content: 'mine' } }),
  ],
  [
    'goes on editing a message that a moderator deleted',
    'refused: unknown_message',
    async ({ room }) => {
      const message = await room.send(careful({ content: 'x' }));
      await discord.deleteMessage(message.id);
      await message.edit({ content: 'y', allowedMentions: { parse: [] } });
    },
  ],
  [
    'insists on replying to a message that is gone',
    'refused: unknown_reference',
    async ({ room, question }) => {
      await discord.deleteMessage(question.id);
      await room.send(
        careful({ content: 'x', reply: { messageReference: question.id, failIfNotExists: true } }),
      );
    },
  ],
  [
    'puts six buttons in a row',
    'refused: row_width',
    ({ room }) =>
      room.send(careful({ content: 'x', components: [row(...Array.from({ length: 6 }, () => button()))] })),
  ],
  [
    'carries its state in a custom id',
    'refused: custom_id',
    ({ room }) =>
      room.send(
        careful({
          content: 'x',
          components: [row(button({ custom_id: JSON.stringify({ state: 'x'.repeat(100) }) }))],
        }),
      ),
  ],
  [
    'gives two buttons one custom id',
    'refused: custom_id_twice',
    ({ room }) =>
      room.send(
        careful({ content: 'x', components: [row(button({ custom_id: 'a' }), button({ custom_id: 'a' }))] }),
      ),
  ],
  [
    'offers 26 options',
    'refused: select_options',
    ({ room }) =>
      room.send(
        careful({
          content: 'x',
          components: [
            row({
              type: 3,
              custom_id: 's',
              options: Array.from({ length: 26 }, (_, at) => ({ label: `${at}`, value: `${at}` })),
            }),
          ],
        }),
      ),
  ],
  [
    'mixes the new layout with a text',
    'refused: v2_alone',
    ({ room }) =>
      room.send(careful({ content: 'x', flags: 32_768, components: [{ type: 10, content: 'y' }] as never })),
  ],
  [
    'edits on a timer of its own',
    'noticed: too_fast',
    async ({ room }) => {
      const { id } = await room.send(careful({ content: 'x' }));
      await discord.rates({ shape: 'bucket' });
      for (let at = 0; at < 8; at += 1)
        await patch(`PATCH /channels/${room.id}/messages/${id}`, {
          content: `${at}`,
          allowed_mentions: { parse: [] },
        });
    },
  ],
  [
    'comes back before it may',
    'noticed: too_early',
    async ({ room }) => {
      const { id } = await room.send(careful({ content: 'x' }));
      await discord.fault({ on: 'edit_message', how: 'limited', scope: 'user', retryAfterMs: 5_000 });
      for (const content of ['a', 'b'])
        await patch(`PATCH /channels/${room.id}/messages/${id}`, {
          content,
          allowed_mentions: { parse: [] },
        });
    },
  ],
  [
    'edits an old message as if it were new',
    'noticed: too_fast',
    async ({ room }) => {
      const { id } = await room.send(careful({ content: 'x' }));
      await discord.advance(2 * 60 * 60_000);
      await discord.rates({ shape: 'window' });
      for (let at = 0; at < 4; at += 1)
        await patch(`PATCH /channels/${room.id}/messages/${id}`, {
          content: `${at}`,
          allowed_mentions: { parse: [] },
        });
    },
  ],
  [
    'edits although nothing changed',
    'noticed: idle_edit',
    async ({ room }) => {
      const message = await room.send(careful({ content: 'x' }));
      await message.edit({ content: 'x', allowedMentions: { parse: [] } });
    },
  ],
  [
    'reacts with a word',
    'refused: unknown_emoji',
    ({ client, question, room }) =>
      client.rest.put(`/channels/${room.id}/messages/${question.id}/reactions/eyes/@me`),
  ],
  [
    'registers a command in a language that Discord does not have',
    'refused: command_locale',
    ({ client }) =>
      client.rest.put(`/applications/${discord.applicationId}/commands`, {
        body: [{ name: 'ask', description: 'Ask', name_localizations: { zh: '问' } }],
      }),
  ],
  [
    'attaches eleven files',
    'refused: file_count',
    ({ room }) =>
      room.send(
        careful({
          files: Array.from({ length: 11 }, (_, at) => ({ attachment: Buffer.from('x'), name: `${at}.txt` })),
        }),
      ),
  ],
  [
    'writes to somebody who takes no messages',
    'refused: cannot_dm',
    async ({ client }) => {
      const { channelId } = await discord.say('shy', 'hi', { in: 'dm' });
      await discord.setDms('shy', false);
      await client.rest.post(`/channels/${channelId}/messages`, {
        body: { content: 'x', nonce: 'd1', enforce_nonce: true },
      });
    },
  ],
  [
    'writes where it may not',
    'refused: missing_permissions',
    async ({ room }) => {
      await discord.revokePermission(room.id, 'SendMessages');
      await room.send(careful({ content: 'x' }));
    },
  ],
  [
    'replies where it may not read',
    'refused: reply_without_history',
    async ({ room, question }) => {
      await discord.revokePermission(room.id, 'ReadMessageHistory');
      await room.send(careful({ content: 'x', reply: { messageReference: question.id } }));
    },
  ],
];

describe('an adapter that', () => {
  test.each(faults)('%s is caught (%s)', async (_name, caught, adapter) => {
    const here = await scene();
    // What the adapter makes of a refusal is not the question.
    await adapter(here).catch(() => {});
    expect(await evidence(here)).toContain(caught);
  });

  test('goes on calling with a token that was refused is caught', async () => {
    const own = await startDiscord();
    await own.resetToken();
    for (let at = 0; at < 2; at += 1)
      await raw(own, 'GET /users/@me', { headers: { authorization: `Bot ${own.token}` } });
    expect((await own.notices()).map(({ kind }) => kind)).toEqual(['went_on_after_401']);
    await own.close();
  });

  test('is careful in all of this is left alone', async () => {
    const here = await scene();
    const { question, room, click } = here;
    await discord.rates({ shape: 'window' });
    await room.sendTyping();
    const answer = await question.reply(
      careful({
        content: 'Because <@1100000000000000001> @everyone',
        allowedMentions: { parse: [], users: [question.author.id], repliedUser: true },
      }),
    );
    await answer.edit({
      content: 'Because it is.',
      allowedMentions: { parse: [] },
      components: [row(button())],
    });
    const thread = await question.startThread({ name: 'why?' });
    await thread.send(careful({ content: '-# thinking' }));
    await question.react('👀');
    const click1 = await click();
    await click1.deferUpdate();
    await click1.editReply({ content: 'Yes.', components: [], allowedMentions: { parse: [] } });
    const click2 = await click();
    await click2.reply({ content: 'Only for you', flags: 64, allowedMentions: { parse: [] } });
    expect(await evidence(here)).toEqual([]);
    expect(await discord.violations()).toEqual([]);
  });
});
