// What people do reaches the bot, and what the bot does reaches them: with the real client of discord.js on the other side.
import {
  ActionRowBuilder,
  type Client,
  Events,
  type Interaction,
  LabelBuilder,
  ModalBuilder,
  type RESTPostAPIChannelMessageJSONBody,
  StringSelectMenuBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Online, online, restOf } from '../lab.ts';
import { type FakeDiscord, startDiscord } from '../server.ts';

let discord: FakeDiscord;
let bot: Online;
let client: Client;
let channel = '';
let count = 0;

beforeAll(async () => {
  discord = await startDiscord();
  bot = await online(discord);
  client = bot.client;
  await discord.rates({ shape: 'off' });
});
afterAll(async () => {
  await bot.leave();
  await discord.close();
});
beforeEach(async () => {
  channel = await discord.addChannel(`room-${(count += 1)}`);
});
afterEach(() => {
  client.removeAllListeners(Events.InteractionCreate);
});

const post = (body: RESTPostAPIChannelMessageJSONBody) =>
  restOf(discord).post(`/channels/${channel}/messages`, { body }) as Promise<{ id: string }>;
const answering = (answer: (interaction: Interaction) => Promise<unknown>) =>
  client.on(Events.InteractionCreate, (interaction) => void answer(interaction));
const settled = (id: string) =>
  discord.until(
    () => discord.interaction(id),
    ({ acknowledged }) => acknowledged !== undefined,
  );
const withButton = () =>
  post({
    content: 'Shall I?',
    components: [{ type: 1, components: [{ type: 2, style: 1, label: 'Yes', custom_id: 'yes' }] }],
  });

describe('who is pinged', () => {
  const everyone = '@everyone and @mia and @&Tutors';
  test.each([
    ['nothing is said', undefined, { users: ['mia'], roles: ['Tutors'], everyone: true }],
    ['nothing is allowed', { parse: [] }, { users: [], roles: [], everyone: false }],
    ['an empty object is sent', {}, { users: [], roles: [], everyone: false }],
    ['users are allowed', { parse: ['users'] }, { users: ['mia'], roles: [], everyone: false }],
    ['one person is allowed', 'mia', { users: ['mia'], roles: [], everyone: false }],
    ['somebody else is allowed', 'ben', { users: [], roles: [], everyone: false }],
  ] as const)('when %s', async (_name, allowed, pings) => {
    await discord.say('mia', 'here I am', { in: channel });
    if ((await discord.messages(channel)).length > 0) await discord.say('ben', 'me, too', { in: channel });
    const tutors = await discord.addRole('Tutors');
    const mia = await discord.idOf('mia');
    const content = everyone.replace('@mia', `<@${mia}>`).replace('@&Tutors', `<@&${tutors}>`);
    const allowed_mentions =
      typeof allowed === 'string' ? { parse: [], users: [await discord.idOf(allowed)] } : allowed;
    const { id } = await post({
      content,
      ...(allowed_mentions !== undefined && { allowed_mentions }),
    });
    expect((await discord.message(id))?.pings).toEqual(pings);
  });

  test('a reply pings whom it answers only when that is asked for', async () => {
    const { id } = await discord.say('mia', 'why?', { in: channel });
    const reply = async (replied_user: boolean) => {
      const allowed_mentions = { parse: [], replied_user };
      const sent = await post({
        content: `because ${replied_user}`,
        message_reference: { message_id: id },
        allowed_mentions,
      });
      return (await discord.message(sent.id))?.pings.users;
    };
    expect([await reply(true), await reply(false)]).toEqual([['mia'], []]);
  });

  test('texts of the new layout ping like any other', async () => {
    const text = { type: 10 as const, content: `ask <@${await discord.idOf('mia')}>` };
    const { id } = await post({ flags: 32_768, components: [{ type: 17, components: [text] }] });
    expect((await discord.message(id))?.pings.users).toEqual(['mia']);
  });

  test('an edit notifies nobody', async () => {
    const { id } = await post({ content: 'x', allowed_mentions: { parse: [] } });
    const content = `<@${await discord.idOf('mia')}> @everyone`;
    await restOf(discord).patch(`/channels/${channel}/messages/${id}`, { body: { content } });
    expect((await discord.message(id))?.pings).toEqual({ users: [], roles: [], everyone: false });
  });
});

describe('buttons, menus and forms', () => {
  test('a button is pressed, and its message is updated', async () => {
    answering(
      async (each) => each.isButton() && each.update({ content: `${each.customId}!`, components: [] }),
    );
    const { id } = await withButton();
    const click = await discord.press('mia', id, 'Yes');
    expect((await settled(click.id)).answer?.texts).toEqual(['Shall I?', 'yes!']);
    await expect(discord.press('mia', id, 'Yes')).rejects.toThrow('there is no button "Yes"');
  });

  test('a private answer is seen by one person, edited, and cannot be found by others', async () => {
    answering(async (each) => {
      if (!each.isButton()) return;
      await each.deferReply({ flags: 64 });
      await each.editReply('for you only');
      await each.followUp({ content: 'and this', flags: 64 });
    });
    const { id } = await withButton();
    const click = await discord.press('mia', id, 'yes');
    const done = await discord.until(
      () => discord.interaction(click.id),
      ({ followUps }) => followUps.length === 1,
    );
    expect([done.isEphemeral, done.answer?.content, done.answer?.onlyFor]).toEqual([
      true,
      'for you only',
      'mia',
    ]);
    const texts = async (onlyFor?: string) =>
      (await discord.messages(channel, onlyFor === undefined ? {} : { onlyFor })).map(
        ({ content }) => content,
      );
    expect(await texts()).toEqual(['Shall I?']);
    expect(await texts('ben')).toEqual(['Shall I?']);
    expect(await texts('mia')).toEqual(['Shall I?', 'for you only', 'and this']);
  });

  test('options are chosen from a menu, as many as it takes', async () => {
    answering(async (each) => each.isStringSelectMenu() && each.reply(each.values.join('+')));
    const menu = new StringSelectMenuBuilder()
      .setCustomId('topic')
      .addOptions(['limits', 'series', 'proofs'].map((name) => ({ label: name.toUpperCase(), value: name })))
      .setMaxValues(2);
    const { id } = await post({
      content: 'Which?',
      components: [new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(menu).toJSON()],
    });
    const choice = await discord.choose('mia', id, ['LIMITS', 'proofs']);
    expect((await settled(choice.id)).answer?.content).toBe('limits+proofs');
    await expect(discord.choose('mia', id, ['limits', 'series', 'proofs'])).rejects.toThrow(
      'between 1 and 2',
    );
  });

  test('a form is opened by a button, filled in, and read', async () => {
    const why = new TextInputBuilder().setCustomId('why').setStyle(TextInputStyle.Paragraph).setMaxLength(20);
    const modal = new ModalBuilder()
      .setCustomId('reason')
      .setTitle('Reason')
      .addLabelComponents(new LabelBuilder().setLabel('Why').setTextInputComponent(why));
    answering(async (each) => {
      if (each.isButton()) await each.showModal(modal.toJSON());
      if (each.isModalSubmit()) await each.reply(`because ${each.fields.getTextInputValue('why')}`);
    });
    const { id } = await withButton();
    const click = await discord.press('mia', id, 'Yes');
    expect((await settled(click.id)).modal).toMatchObject({ custom_id: 'reason', title: 'Reason' });
    await expect(discord.submit('mia', click.id, { why: 'x'.repeat(21) })).rejects.toThrow(
      '0 to 20 characters',
    );
    await expect(discord.submit('mia', click.id, { other: 'x' })).rejects.toThrow('no input "other"');
    const sent = await discord.submit('mia', click.id, { why: 'I can' });
    expect((await settled(sent.id)).answer?.content).toBe('because I can');
  });

  test('commands are registered, called with options, and suggest values', async () => {
    answering(async (each) => {
      if (each.isAutocomplete())
        await each.respond([{ name: `${each.options.getFocused()}mits`, value: 'limits' }]);
      if (each.isChatInputCommand())
        await each.reply({ content: `${each.options.getString('topic')} in ${each.locale}`, flags: 64 });
      if (each.isMessageContextMenuCommand()) await each.reply(`about "${each.targetMessage.content}"`);
    });
    const option = {
      type: 3 as const,
      name: 'topic',
      description: 'What',
      required: true,
      autocomplete: true as const,
    };
    await client.application?.commands.set([
      { name: 'ask', description: 'Ask', descriptionLocalizations: { de: 'Fragen' }, options: [option] },
      { name: 'Explain this', type: 3 },
    ]);
    expect((await discord.commands()).map(({ name }) => name)).toEqual(['ask', 'Explain this']);
    const typed = await discord.typeOption('mia', 'ask', 'topic', 'li', channel);
    expect((await settled(typed.id)).suggestions).toEqual([{ name: 'limits', value: 'limits' }]);
    await discord.setLocale('mia', 'de');
    const called = await discord.command('mia', 'ask', { topic: 'limits' }, { in: channel });
    expect((await settled(called.id)).answer).toMatchObject({ content: 'limits in de', onlyFor: 'mia' });
    await expect(discord.command('mia', 'ask', {})).rejects.toThrow('option "topic" is required');
    await expect(discord.command('mia', 'nothing')).rejects.toThrow('no command "nothing" is registered');
    const { id } = await discord.say('ben', 'e^x', { in: channel });
    const menu = await discord.menuCommand('mia', 'Explain this', id);
    expect((await settled(menu.id)).answer?.content).toBe('about "e^x"');
  });
});

describe('places', () => {
  test('a thread has the id of its message, begins with a pointer to it, and wakes up when somebody writes', async () => {
    const { id } = await discord.say('mia', 'why?', { in: channel });
    const started = await (
      await client.channels
        .fetch(channel)
        .then((each) => (each?.isTextBased() ? each.messages.fetch(id) : undefined))
    )?.startThread({ name: 'why?' });
    expect(started?.id).toBe(id);
    expect((await discord.messages(id)).map(({ type, replyTo }) => ({ type, replyTo }))).toEqual([
      { type: 21, replyTo: id },
    ]);
    await discord.archiveThread(id);
    await started?.send('awake');
    expect((await discord.threads()).find((thread) => thread.id === id)?.isArchived).toBe(false);
  });

  test('a forum post is a thread whose first message has its id', async () => {
    const { id, channelId } = await discord.post('mia', 'Limits', '@Docent what is a limit?');
    expect(channelId).toBe(id);
    await discord.until(
      async () => bot.heard,
      (all) => all.includes(`<@${discord.botId}> what is a limit?`),
    );
    expect(await discord.threads()).toContainEqual({
      id,
      name: 'Limits',
      parent: 'questions',
      owner: 'mia',
      isArchived: false,
      isLocked: false,
    });
  });

  test('a private thread is there for the bot when it is added', async () => {
    const { id } = await discord.startThread('mia', 'secret', { in: channel, isPrivate: true });
    await expect(restOf(discord).get(`/channels/${id}`)).rejects.toMatchObject({ code: 50_001 });
    await discord.addToThread(id, 'Docent');
    await restOf(discord).get(`/channels/${id}`);
  });

  test('messages are listed after, before and around one', async () => {
    const ids: string[] = [];
    for (const text of ['a', 'b', 'c', 'd', 'e'])
      ids.push((await discord.say('mia', text, { in: channel })).id);
    const list = async (query: string) => {
      const found = (await restOf(discord).get(`/channels/${channel}/messages?${query}`)) as {
        content: string;
      }[];
      return found.map(({ content }) => content).join('');
    };
    expect([
      await list(''),
      await list('limit=2'),
      await list(`after=${ids[1]}&limit=2`),
      await list(`before=${ids[3]}&limit=2`),
      await list(`around=${ids[2]}&limit=3`),
    ]).toEqual(['edcba', 'ed', 'dc', 'cb', 'dcb']);
    await discord.revokePermission(channel, 'ReadMessageHistory');
    expect(await list('')).toBe('');
  });

  test('replies, forwards and webhooks look as they do', async () => {
    const seen: unknown[] = [];
    const look = (message: import('discord.js').Message) => {
      if (message.channelId === channel)
        seen.push([
          message.type,
          message.webhookId !== null,
          message.mentions.users.has(discord.botId),
          message.messageSnapshots.first()?.content,
        ]);
    };
    client.on(Events.MessageCreate, look);
    const { id } = await post({ content: 'the answer' });
    await discord.say('mia', 'thanks', { in: channel, replyTo: id });
    await discord.say('mia', 'hm', { in: channel, replyTo: id, ping: false });
    await discord.say('mia', '', { in: channel, forward: id });
    await discord.say('news', 'beep', { in: channel, asWebhook: true });
    await discord.until(
      async () => seen,
      (all) => all.length === 5,
    );
    client.off(Events.MessageCreate, look);
    expect(seen).toEqual([
      [0, false, false, undefined],
      [19, false, true, undefined],
      [19, false, false, undefined],
      [0, false, false, 'the answer'],
      [0, true, false, undefined],
    ]);
  });

  test('reactions, edits and previews arrive; a preview is no edit', async () => {
    const seen: string[] = [];
    const onReaction = (each: { emoji: { name: string | null } }) => seen.push(`reacted ${each.emoji.name}`);
    const onUpdate = (_old: unknown, now: { content: string | null; editedAt: Date | null }) =>
      seen.push(`${now.content} ${now.editedAt === null ? 'not edited' : 'edited'}`);
    client.on(Events.MessageReactionAdd, onReaction).on(Events.MessageUpdate, onUpdate);
    const { id } = await discord.say('mia', 'see https://example.org', { in: channel });
    await discord.addPreview(id);
    await discord.edit('mia', id, 'see nothing');
    await discord.react('ben', id, '👍');
    await discord.until(
      async () => seen,
      (all) => all.length === 3,
    );
    client.off(Events.MessageReactionAdd, onReaction).off(Events.MessageUpdate, onUpdate);
    expect(seen).toEqual(['see https://example.org not edited', 'see nothing edited', 'reacted 👍']);
    expect((await discord.message(id))?.reactions).toEqual({ '👍': ['ben'] });
  });
});

describe('files', () => {
  const download = async (url = '') => {
    const answer = await fetch(url);
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };
  const sent = async (file: Parameters<FakeDiscord['say']>[2]) =>
    (await discord.say('mia', 'look', { in: channel, ...file })).files[0];

  test('a file of a person is fetched from its link, until the link is too old', async () => {
    const file = await sent({ files: [{ name: 'notes.md', contentType: 'text/markdown', text: '# Notes' }] });
    expect(await download(file?.url)).toEqual({ status: 200, type: 'text/markdown', text: '# Notes' });
    await discord.advance(25 * 60 * 60_000);
    expect((await download(file?.url)).status).toBe(404);
  });

  test('a file may be gone, empty, or not what it says', async () => {
    const gone = await sent({ files: [{ name: 'a.txt', text: 'x', trouble: 'gone' }] });
    expect((await download(gone?.url)).status).toBe(404);
    const empty = await sent({ files: [{ name: 'b.txt', text: '', contentType: 'text/plain' }] });
    expect([empty?.size, (await download(empty?.url)).text]).toEqual([0, '']);
    const lying = await sent({
      files: [{ name: 'c.png', contentType: 'image/png', text: 'no picture', size: 7 }],
    });
    expect([lying?.size, await download(lying?.url)]).toEqual([
      7,
      { status: 200, type: 'image/png', text: 'no picture' },
    ]);
  });

  test('a download may stop half-way', async () => {
    const slow = await sent({ files: [{ name: 'd.txt', text: 'half', trouble: 'slow' }] });
    const answer = await fetch(slow?.url ?? '');
    const reader = answer.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('ha');
    await reader?.cancel();
  });

  test('a file of the bot is uploaded by the client and can be fetched', async () => {
    const room = await client.channels.fetch(channel);
    if (!room?.isSendable()) throw new Error('the room cannot be written to');
    await room.send({
      content: 'here',
      files: [{ attachment: Buffer.from('long'), name: 'answer.md', description: 'all of it' }],
    });
    const [message] = await discord.messages(channel);
    expect(message?.files.map(({ filename, size }) => [filename, size])).toEqual([['answer.md', 4]]);
    expect((await download(message?.files[0]?.url)).text).toBe('long');
  });
});
