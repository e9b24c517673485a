/** The buttons below an answer and its trace, as Discord's clicks; what comes of them is judged without Discord. */
import { ButtonStyle, ComponentType, Routes, TextInputStyle } from 'discord.js';
import type { MessageRef } from '../../domain/address.ts';
import { type AnswerHandle, AnswerPress, type AnswerPressMeans } from '../../gateway/answer-press.ts';
import { buttonWords } from '../../gateway/button-words.ts';
import { clickWords } from '../../gateway/click-words.ts';
import type { Inflow } from '../../gateway/inflow.ts';
import type { Told } from '../../gateway/press.ts';
import type { Heard } from '../../gateway/said.ts';
import type { Clock, Logger } from '../../ports/runtime.ts';
import { readForm } from './card.ts';
import { buttonId } from './custom-ids.ts';
import { isRefused } from './failures.ts';
import { type Answers, type Click, type PrivateWords, pressOf } from './interaction.ts';
import { discordMarkup, maxMessageChars } from './markup.ts';
import type { HeardMessage } from './normalize.ts';
import type { PacedCalls } from './paced-calls.ts';

export interface AnswerClicksMeans extends AnswerPressMeans {
  readonly calls: PacedCalls;
  readonly answers: Answers;
  readonly inflow: Inflow;
  /** A message as it reads now, with what REST does not tell of it; undefined when it is gone. */
  readonly reread: (
    channel: string,
    message: string,
    known: Partial<HeardMessage>,
  ) => Promise<Heard | undefined>;
  readonly clock: Clock;
  readonly log: Logger;
}

const maxReasonChars = 1_000;
const reasonField = 'reason';

export class AnswerClicks {
  private readonly press: AnswerPress;

  constructor(private readonly means: AnswerClicksMeans) {
    this.press = new AnswerPress(means);
  }

  async take(click: Click, handle: AnswerHandle): Promise<void> {
    const { answers, inflow } = this.means;
    if (handle.action === 'thinking' || handle.action === 'sources') return this.look(click, handle);
    if (handle.action === 'why') {
      await answers.openForm(click, reasonForm(click, handle));
      return;
    }
    const acknowledged = answers.acknowledge(click);
    void inflow.take(handle.conversation.slice('discord:'.length), async () => {
      const told = await this.press.carryOut(pressOf(click), handle, {
        takeAway: (message) => this.takeAway(message),
        reread: () => this.reread(click, handle),
        reason: reasonIn(click),
      });
      // Several gateways hear the same. The store says this to one of them; all else is said by who acknowledged.
      const isFirst = await acknowledged;
      if (told !== undefined && (told.byStore === true || isFirst))
        answers.tell(click, wordsOf(told, click, handle));
    });
    await acknowledged;
  }

  private async reread(click: Click, { slot: message }: AnswerHandle): Promise<Heard | undefined> {
    const { channel, guild_id } = click;
    const parent = channel && 'parent_id' in channel ? channel.parent_id : undefined;
    // A thread under a question has its id.
    const isAbove = channel?.id === message;
    const place = (isAbove ? parent : channel?.id) ?? '';
    return this.means.reread(place, message, {
      ...(guild_id && { guild_id }),
      ...(!isAbove && channel && { channel_type: channel.type }),
    });
  }

  private async takeAway({ place, id }: MessageRef): Promise<void> {
    try {
      const call = { method: 'DELETE', route: Routes.channelMessage(place, id) } as const;
      await this.means.calls.make('remove', { channel: place, about: id }, call);
    } catch (error) {
      if (!isRefused(error)) throw error;
      this.means.log.debug({ error, message: id }, 'an answer is gone already');
    }
  }

  /** The first answer has to be it, so that a long one can come as a file. */
  private async look(click: Click, handle: AnswerHandle): Promise<void> {
    const { answers } = this.means;
    const seen = await this.press.look(handle, click.locale);
    if ('told' in seen) return void (await answers.show(click, { content: seen.told }));
    const { lines } = seen;
    const content = lines.map((line) => discordMarkup(line)).join('\n');
    if (Array.from(content).length <= maxMessageChars) return void (await answers.show(click, { content }));
    const files = [{ name: `${handle.action}.md`, data: lines.join('\n') }];
    await answers.show(click, { content: clickWords(click.locale).inFile }, files);
  }
}

function wordsOf({ text, asksWhy }: Told, { locale }: Click, handle: AnswerHandle): PrivateWords {
  if (!asksWhy) return { content: text };
  const button = {
    type: ComponentType.Button,
    style: ButtonStyle.Secondary,
    label: buttonWords(locale).why,
    custom_id: buttonId({ ...handle, action: 'why' }),
  };
  return { content: text, components: [{ type: ComponentType.ActionRow, components: [button] }] };
}

function reasonForm({ locale }: Click, handle: AnswerHandle) {
  const { whyTitle } = buttonWords(locale);
  return {
    custom_id: buttonId({ ...handle, action: 'reason' }),
    title: whyTitle,
    components: [
      {
        type: ComponentType.Label,
        label: whyTitle,
        component: {
          type: ComponentType.TextInput,
          custom_id: reasonField,
          style: TextInputStyle.Paragraph,
          max_length: maxReasonChars,
          required: true,
        },
      },
    ],
  };
}

function reasonIn({ data }: Click): string {
  const given = 'components' in data ? readForm(data.components).get(reasonField) : undefined;
  return typeof given === 'string' ? given.trim() : '';
}
