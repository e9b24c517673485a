// What a message of Discord is to the bot: a table of cases, odd ones first.
import { ChannelType, MessageType } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { type Heard, type HeardMessage, heard, type Scene } from '../../../src/adapters/discord/normalize.ts';

const bot = '1100000000000000001';
const botRole = '1100000000000000002';
const guild = '1100000000000000010';
const channel = '1100000000000000030';
const thread = '1100000000000000050';
const scene: Scene = {
  botId: bot,
  botRoles: [botRole],
  parent: channel,
  followAllThreads: false,
  locale: undefined,
  isManager: false,
};
const mia = { id: '11', username: 'mia', discriminator: '0', global_name: 'Mia', avatar: null };
const ben = { id: '12', username: 'ben', discriminator: '0', global_name: null, avatar: null };
const self = { id: bot, username: 'docent', discriminator: '0', global_name: null, avatar: null, bot: true };

function message(more: object = {}): HeardMessage {
  return {
    id: '1100000000000000099',
    channel_id: channel,
    channel_type: ChannelType.GuildText,
    guild_id: guild,
    author: mia,
    member: { roles: ['77'], joined_at: '', deaf: false, mute: false },
    content: `<@${bot}> why?`,
    timestamp: '2026-08-10T12:00:00.000000+00:00',
    edited_timestamp: null,
    tts: false,
    mention_everyone: false,
    mentions: [self],
    mention_roles: [],
    attachments: [],
    embeds: [],
    pinned: false,
    type: MessageType.Default,
    ...more,
  } as unknown as HeardMessage;
}

const inThread = { channel_id: thread, channel_type: ChannelType.PublicThread };
const unaddressed = { content: 'so what?', mentions: [] };
const short = (said: Heard | undefined) => said && [said.conversation, said.wanted, said.item.content];

describe('whom a message is for', () => {
  const own = 'discord:1100000000000000099';
  const followed = `discord:${thread}`;
  test.each<[string, object, unknown]>([
    ['a mention', {}, [own, 'and_follow', 'why?']],
    [
      'the role of the bot',
      { content: `<@&${botRole}> why?`, mentions: [], mention_roles: [botRole] },
      [own, 'and_follow', 'why?'],
    ],
    ['@everyone', { content: '@everyone hi', mentions: [], mention_everyone: true }, undefined],
    ['nobody', unaddressed, undefined],
    ['somebody else', { content: '<@12> hi', mentions: [ben] }, undefined],
    ['a mention in a thread of people', inThread, [followed, 'always', 'why?']],
    ['nobody in a thread', { ...inThread, ...unaddressed }, [followed, 'if_followed', 'so what?']],
    ['others in a thread', { ...inThread, content: '<@12> hi', mentions: [ben] }, undefined],
    ['another role in a thread', { ...inThread, ...unaddressed, mention_roles: ['5'] }, undefined],
    [
      'others and the bot',
      { ...inThread, content: `<@12> <@${bot}> hi`, mentions: [ben, self] },
      [followed, 'always', '@ben hi'],
    ],
    ['the first message of a forum post', { ...inThread, id: thread }, [followed, 'and_follow', 'why?']],
    [
      'direct messages',
      { channel_type: ChannelType.DM, guild_id: undefined, member: undefined, ...unaddressed },
      [`discord:${channel}`, 'always', 'so what?'],
    ],
    ['the start of a thread', { type: MessageType.ThreadStarterMessage }, undefined],
    ['a pin', { type: MessageType.ChannelPinnedMessage }, undefined],
    ['the text of a voice channel', { channel_type: ChannelType.GuildVoice }, [own, 'and_follow', 'why?']],
  ])('%s', (_name, more, expected) => {
    expect(short(heard(message(more), scene))).toEqual(expected);
  });

  test('one mention is enough in any thread where that is wanted', () => {
    expect(heard(message(inThread), { ...scene, followAllThreads: true })?.wanted).toBe('and_follow');
  });
});

describe('what a message says', () => {
  test('who wrote it, where, and what its thread will be called after', () => {
    expect(heard(message(), scene)).toMatchObject({
      item: {
        kind: 'message',
        id: '1100000000000000099',
        author: 'discord:11',
        name: 'Mia',
        mentioned: true,
        address: { surface: 'discord', place: channel, replyTo: '1100000000000000099', title: 'why?' },
      },
      from: {
        isSelf: false,
        isBot: false,
        server: `discord:${guild}`,
        channel: `discord:${channel}`,
        roles: ['discord:77'],
      },
    });
  });

  test('in a thread, the channel is that of the thread', () => {
    expect(heard(message(inThread), scene)?.from.channel).toBe(`discord:${channel}`);
  });

  test.each([
    ['a bot', { author: { ...ben, bot: true } }],
    ['a webhook', { webhook_id: '9' }],
  ])('%s is a program', (_name, more) => {
    expect(heard(message(more), scene)?.from.isBot).toBe(true);
  });

  test('a reply brings what it replies to, its files included', () => {
    const file = {
      id: 'f1',
      filename: 'a.pdf',
      size: 3,
      content_type: 'application/pdf',
      url: 'https://x/a.pdf',
    };
    const replied = message({
      id: '5',
      author: ben,
      content: 'Is 1 + 1 = 3?',
      mentions: [],
      attachments: [file],
    });
    const more = { type: MessageType.Reply, referenced_message: replied };
    expect(heard(message(more), scene)?.item).toMatchObject({
      content: '[It replies to this message of ben:]\nIs 1 + 1 = 3?\n[End of that message.]\n\nwhy?',
      files: [
        {
          id: 'f1',
          name: 'a.pdf',
          bytes: 3,
          type: 'application/pdf',
          source: `${channel}/5/f1 https://x/a.pdf`,
        },
      ],
      address: { title: 'why?' },
    });
  });

  test('a reply to nothing says so', () => {
    const more = { type: MessageType.Reply, referenced_message: null };
    expect(heard(message(more), scene)?.item.content).toBe(
      '[It replies to a message that was deleted.]\n\nwhy?',
    );
  });

  test('a reply to the bot belongs to what the bot said, and quotes nothing', () => {
    const replied = message({ id: '6', author: self, content: 'Because.', mentions: [] });
    const more = { type: MessageType.Reply, referenced_message: replied, content: 'really?' };
    expect(heard(message(more), scene)).toMatchObject({
      repliesTo: { surface: 'discord', place: channel, id: '6' },
      item: { content: 'really?' },
    });
  });

  test('a forwarded message is what is asked about', () => {
    const more = {
      content: `<@${bot}>`,
      message_reference: { type: 1, message_id: '7', channel_id: channel },
      message_snapshots: [{ message: { content: 'Solve x² = 4', mentions: [], attachments: [] } }],
    };
    expect(heard(message(more), scene)?.item).toMatchObject({
      content: '[A message was forwarded:]\nSolve x² = 4\n[End of the forwarded message.]',
      address: { title: 'Solve x² = 4' },
    });
  });
});
