/** A command as Discord sends it → what it asks for. Pure. */
import {
  type APIApplicationCommandInteraction,
  type APIMessage,
  type APIMessageApplicationCommandInteractionData,
  ApplicationCommandOptionType,
  ApplicationCommandType,
} from 'discord.js';
import type { Command } from '../../domain/command.ts';
import { cutText } from '../../domain/cut-text.ts';
import type { FileRef } from '../../domain/file.ts';
import { answerStyles, type ChangedChoices } from '../../domain/person.ts';
import { commandReplyWords } from '../../gateway/command-words.ts';
import { unset } from './command-list.ts';
import { escapeText, harmless } from './escape.ts';
import { filesOf } from './normalize.ts';

export type UsedCommand =
  /** Answered to the person alone. */
  { readonly kind: 'answered'; readonly command: Command } | { readonly kind: 'stop' | 'new' } | Asked;

/** Said in the conversation, where everybody reads it. */
export interface Asked {
  readonly kind: 'asked';
  readonly as: 'message' | 'next';
  readonly content: string;
  readonly title: string;
  readonly files: readonly FileRef[];
  /** What stands in the channel as the question: Discord's markup. */
  readonly shown: string;
}

/** Of a question in the channel; the model reads all of it. Unit: code points. */
const maxShownChars = 1_500;
const maxQuotedChars = 300;

/** Undefined: a command of another version. */
export function readCommand(interaction: APIApplicationCommandInteraction): UsedCommand | undefined {
  const { data } = interaction;
  if (data.type === ApplicationCommandType.Message) return explaining(data, interaction);
  if (data.type !== ApplicationCommandType.ChatInput) return undefined;
  const [first] = data.options ?? [];
  const isSub = first?.type === ApplicationCommandOptionType.Subcommand;
  const options = (isSub ? first.options : data.options) ?? [];
  const given = new Map(options.map((option) => [option.name, 'value' in option ? option.value : undefined]));
  const text = (name: string) => {
    const value = given.get(name);
    return typeof value === 'string' ? value : '';
  };
  const name = isSub ? `${data.name} ${first.name}` : data.name;
  switch (name) {
    case 'ask':
      return asking('message', text('question'));
    case 'next':
      return asking('next', text('question'));
    case 'stop':
    case 'new':
      return { kind: name };
    case 'help':
    case 'reminders':
    case 'memory list':
    case 'unlink':
      return { kind: 'answered', command: { name } };
    case 'memory forget':
      return { kind: 'answered', command: { name, number: Number(given.get('number')) } };
    case 'remind':
      return { kind: 'answered', command: { name, when: text('when'), what: text('what') } };
    case 'settings':
      return { kind: 'answered', command: { name, change: changeIn(given) } };
    case 'link':
      return { kind: 'answered', command: { name, code: given.has('code') ? text('code') : undefined } };
    default:
      return undefined;
  }
}

function asking(as: Asked['as'], question: string): Asked {
  const quoted = quote(cutText(question.trim(), maxShownChars));
  return { kind: 'asked', as, content: question, title: question, files: [], shown: quoted };
}

function explaining(
  data: APIMessageApplicationCommandInteractionData,
  { locale, guild_id, channel }: APIApplicationCommandInteraction,
) {
  const message = data.resolved.messages[data.target_id];
  if (message === undefined) return undefined;
  const link = `https://discord.com/channels/${guild_id ?? '@me'}/${channel.id}/${message.id}`;
  const text = message.content.trim();
  const files = filesOf(message, message.attachments);
  const isEmpty = text === '' && files.length === 0;
  const words = commandReplyWords(locale);
  return {
    kind: 'asked',
    as: 'message',
    content: isEmpty ? '' : words.explain(authorOf(message), text),
    title: text,
    files,
    shown: [link, ...(text === '' ? [] : [quote(cutText(text, maxQuotedChars))])].join('\n'),
  } as const;
}

function authorOf({ author }: APIMessage): string {
  return author.global_name ?? author.username;
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${harmless(escapeText(line, 'text', true))}`)
    .join('\n');
}

function changeIn(given: ReadonlyMap<string, unknown>): ChangedChoices {
  const chosen = (name: 'language' | 'zone') => {
    const value = given.get(name);
    return typeof value === 'string' ? { [name]: value === unset ? undefined : value.trim() } : {};
  };
  const style = answerStyles.find((each) => each === given.get('style'));
  return { ...chosen('language'), ...chosen('zone'), ...(style !== undefined && { style }) };
}
