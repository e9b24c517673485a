/** Clicks, forms, shortcuts and commands: their triggers, their response URLs, and what the app answered. */

import { rules } from '../rules.ts';
import type { Slack } from '../slack.ts';
import { answeredContent } from '../web/messages.ts';
import { isObject, isTrue, textOf } from '../web/method.ts';
import { Refusal, refusal } from '../web/refusal.ts';
import { checkView, pushView, replaceView } from '../web/views.ts';
import { messagePayload } from '../world/payloads.ts';
import { pingsIn } from '../world/pings.ts';
import { type Json, type Message, newest, type Person, type View } from '../world/world.ts';
import type { Delivery } from './courier.ts';
import { channelName, tellChanged, tellDeleted, tellMessage } from './tell.ts';

export interface Interaction {
  readonly id: string;
  readonly kind: string;
  readonly teamId: string;
  readonly userId: string;
  readonly channelId: string | undefined;
  readonly messageTs: string | undefined;
  readonly viewId: string | undefined;
  readonly triggerId: string;
  isTriggerUsed: boolean;
  responses: number;
  at: number;
  ackedAfterMs: number | undefined;
  /** What the person was told instead of an answer. */
  error: string | undefined;
  answer: unknown;
  /** Views that it opened. */
  readonly views: string[];
  /** Messages that its response URL or acknowledgement made. */
  readonly said: string[];
}

type Origin = Partial<Pick<Interaction, 'channelId' | 'messageTs' | 'viewId'>>;

export class Interactions {
  readonly all = new Map<string, Interaction>();

  constructor(private readonly slack: Slack) {}

  /** Brings an interaction of a person to the app. */
  begin(
    person: Person,
    kind: Delivery['kind'],
    what: string,
    payload: Json,
    origin: Origin = {},
  ): Interaction {
    const { slack } = this;
    const { world } = slack;
    const id = world.newId('I');
    const team = world.teamOf(person.teamId);
    const interaction: Interaction = {
      id,
      kind: what,
      teamId: team.id,
      userId: person.id,
      channelId: origin.channelId,
      messageTs: origin.messageTs,
      viewId: origin.viewId,
      triggerId: `${id}.trigger`,
      isTriggerUsed: false,
      responses: 0,
      at: world.now(),
      ackedAfterMs: undefined,
      error: undefined,
      answer: undefined,
      views: [],
      said: [],
    };
    this.all.set(id, interaction);
    const channel = world.channels.get(origin.channelId ?? '');
    const responseUrl = channel === undefined ? {} : { response_url: `${slack.url}/actions/${id}` };
    const common =
      kind === 'slash_commands'
        ? {
            team_id: team.id,
            team_domain: team.name,
            ...(channel !== undefined && {
              channel_id: channel.id,
              channel_name: channelName(slack, channel)['name'],
            }),
            user_id: person.id,
            user_name: person.name,
            api_app_id: world.appId,
            is_enterprise_install: 'false',
            token: 'deprecated',
          }
        : {
            type: what,
            team: { id: team.id, domain: team.name },
            user: { id: person.id, username: person.name, name: person.name, team_id: team.id },
            api_app_id: world.appId,
            token: 'deprecated',
            enterprise: null,
            is_enterprise_install: false,
            ...(channel !== undefined && { channel: channelName(slack, channel) }),
          };
    slack.courier.interaction(interaction, {
      id,
      kind,
      what: kind === 'slash_commands' ? 'command' : what,
      payload: { ...common, trigger_id: interaction.triggerId, ...responseUrl, ...payload },
    });
    return interaction;
  }

  /** A trigger is good once, and for three seconds. */
  useTrigger(triggerId: string): Interaction {
    const found = [...this.all.values()].find((each) => each.triggerId === triggerId);
    if (found === undefined) throw refusal('invalid_trigger', triggerId);
    if (found.isTriggerUsed) throw refusal('exchanged_trigger');
    if (this.slack.world.now() - found.at > rules.trigger_life.ms) throw refusal('expired_trigger');
    found.isTriggerUsed = true;
    return found;
  }

  /** The app acknowledged in time; what it said with it is done. */
  taken(interaction: Interaction, afterMs: number, answer: unknown): void {
    interaction.ackedAfterMs = afterMs;
    interaction.answer = answer;
    try {
      if (interaction.kind === 'view_submission') this.answerView(interaction, answer);
      else if (interaction.kind === 'command') this.answerCommand(interaction, answer);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.slack.journal.refuse(error, `answer to ${interaction.kind}`);
      interaction.error = error.rule;
    }
  }

  private answerView({ viewId, userId, views, teamId }: Interaction, answer: unknown): void {
    const { world } = this.slack;
    const view = world.views.get(viewId ?? '');
    if (view === undefined) return;
    const said = isObject(answer) ? answer : {};
    switch (said['response_action']) {
      case 'errors':
        return;
      case 'update':
        replaceView(view, checkView(said['view'], 'modal'), undefined);
        return;
      case 'push': {
        const body = checkView(said['view'], 'modal');
        views.push(pushView({ slack: this.slack, team: world.teamOf(teamId) }, view, userId, body).id);
        return;
      }
      case 'clear':
        for (const each of world.views.values()) if (each.rootId === view.rootId) each.isOpen = false;
        return;
      default:
        view.isOpen = false;
    }
  }

  private answerCommand(interaction: Interaction, answer: unknown): void {
    const said = typeof answer === 'string' ? { text: answer } : answer;
    if (isObject(said) && (textOf(said['text']) !== '' || said['blocks'] !== undefined))
      this.say(interaction, said);
  }

  /** A POST to the response URL; returns the answer's status and text. */
  respond(id: string, body: unknown): { readonly status: number; readonly text: string } {
    const { slack } = this;
    const interaction = this.all.get(id);
    if (interaction === undefined) return { status: 404, text: 'not found' };
    const over =
      slack.world.now() - interaction.at > rules.response_url_life.ms
        ? ('response_url_over' as const)
        : interaction.responses >= rules.response_url_uses.max
          ? ('response_url_uses' as const)
          : undefined;
    if (over !== undefined) {
      slack.journal.refuse(new Refusal(over, interaction.kind, {}), 'response_url');
      return { status: rules[over].status, text: rules[over].says };
    }
    interaction.responses += 1;
    if (!isObject(body)) return { status: 400, text: 'invalid_payload' };
    try {
      this.say(interaction, body);
      return { status: 200, text: 'ok' };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      slack.journal.refuse(error, 'response_url');
      return { status: 400, text: error.rule };
    }
  }

  private say(interaction: Interaction, body: Json): void {
    const { slack } = this;
    const { world } = slack;
    const channel = world.channels.get(interaction.channelId ?? '');
    if (channel === undefined) throw refusal('channel_not_found');
    const original = world.message(channel.id, interaction.messageTs ?? '');
    if (isTrue(body['delete_original'])) {
      if (original !== undefined) remove(slack, original);
      return;
    }
    const version = answeredContent(body);
    if (isTrue(body['replace_original']) && original !== undefined) {
      const before = messagePayload(world, slack.fileUrl, original);
      original.versions.push({ ...version, at: world.now() });
      if (original.onlyFor === undefined) tellChanged(slack, original, before);
      return;
    }
    const team = world.teamOf(interaction.teamId);
    const isOpen = body['response_type'] === 'in_channel';
    const thread = textOf(body['thread_ts']) || undefined;
    const message = world.addMessage(
      {
        channelId: channel.id,
        teamId: team.id,
        userId: team.botUserId,
        botId: team.botId,
        ...(thread !== undefined && { threadTs: thread }),
        ...(!isOpen && { onlyFor: interaction.userId }),
      },
      version,
    );
    message.pings = pingsIn(newest(message));
    interaction.said.push(message.ts);
    if (isOpen) tellMessage(slack, message);
  }
}

function remove(slack: Slack, message: Message): void {
  if (message.onlyFor === undefined) tellDeleted(slack, message);
  else message.isDeleted = true;
}

/** The view that a person has before them: the newest open one of a stack. */
export const topView = (slack: Slack, userId: string): View | undefined =>
  [...slack.world.views.values()].findLast(
    (each) => each.type === 'modal' && each.userId === userId && each.isOpen,
  );
