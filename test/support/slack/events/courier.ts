/** Brings events and interactions to the app, over sockets or requests, again when they are not acknowledged. */

import { rules } from '../rules.ts';
import type { Slack } from '../slack.ts';
import type { Json } from '../world/world.ts';
import type { Interaction } from './interactions.ts';

export interface Delivery {
  /** `event_id`, or the id of the interaction. */
  readonly id: string;
  readonly kind: 'events_api' | 'interactive' | 'slash_commands';
  /** For the record: type of the event, kind of the interaction. */
  readonly what: string;
  readonly payload: Json;
}

export type FailReason = 'timeout' | 'http_error' | 'connection_failed';

/** What became of one attempt. */
export type Outcome =
  | { readonly isTaken: true; readonly afterMs: number; readonly answer?: unknown }
  | { readonly isTaken: false; readonly why: FailReason; readonly mayRepeat: boolean };

export interface Ack {
  readonly at: number;
  readonly id: string;
  readonly what: string;
  /** 0: the first one. */
  readonly attempt: number;
  /** Undefined: it was not acknowledged in time. Unit: milliseconds. */
  readonly afterMs: number | undefined;
  readonly why: FailReason | undefined;
}

export interface CourierKnobs {
  /** How late events come, from and to; with a range they overtake each other. Unit: milliseconds. */
  readonly delayMs: readonly [number, number];
  /** How likely an event comes twice with the same id, from 0 to 1. */
  readonly duplicates: number;
  /** How long after a failed attempt the next one comes. Unit: milliseconds. */
  readonly retryMs: readonly number[];
  /** Kept back until this is false again. */
  readonly isHeld: boolean;
  /** Events get lost on the way. */
  readonly isLossy: boolean;
  /** Event subscriptions of the app: `message.im`, `app_mention` … Undefined: all. */
  readonly subscriptions: readonly string[] | undefined;
}

/** An event of this kind comes only with this scope. */
const eventScopes: Readonly<Record<string, string>> = {
  app_mention: 'app_mentions:read',
  'message.channels': 'channels:history',
  'message.groups': 'groups:history',
  'message.im': 'im:history',
  'message.mpim': 'mpim:history',
  reaction_added: 'reactions:read',
  reaction_removed: 'reactions:read',
};

export class Courier {
  knobs: CourierKnobs = {
    delayMs: [0, 0],
    duplicates: 0,
    retryMs: [0, 60_000, 300_000],
    isHeld: false,
    isLossy: false,
    subscriptions: undefined,
  };
  readonly acks: Ack[] = [];
  /** What was brought and is not acknowledged yet. */
  underWay = 0;
  private held: (() => void)[] = [];

  constructor(private readonly slack: Slack) {}

  turn(changed: Partial<CourierKnobs>): void {
    this.knobs = { ...this.knobs, ...changed };
    if (this.knobs.isHeld) return;
    for (const go of this.held.splice(0)) go();
  }

  event(subscription: string, teamId: string, event: Json): void {
    const { knobs, slack } = this;
    const team = slack.world.teamOf(teamId);
    const scope = eventScopes[subscription];
    if (!team.isInstalled && subscription !== 'app_uninstalled') return;
    if (knobs.subscriptions?.includes(subscription) === false) return;
    if (scope !== undefined && !team.scopes.includes(scope)) return;
    if (knobs.isLossy) return;
    const id = slack.world.newId('Ev');
    const payload = {
      type: 'event_callback',
      token: 'deprecated',
      team_id: teamId,
      api_app_id: slack.world.appId,
      event: { team: teamId, ...event },
      event_id: id,
      event_time: Math.floor(slack.world.now() / 1_000),
      event_context: `4-${id}`,
      is_ext_shared_channel: false,
      context_team_id: teamId,
      context_enterprise_id: null,
      authorizations: [
        {
          enterprise_id: null,
          team_id: teamId,
          user_id: team.botUserId,
          is_bot: true,
          is_enterprise_install: false,
        },
      ],
    };
    const delivery: Delivery = { id, kind: 'events_api', what: subscription, payload };
    const times = slack.runtime.chance() < knobs.duplicates ? 2 : 1;
    for (let time = 0; time < times; time += 1) this.go(() => this.attempt(delivery, 0));
  }

  /** An interaction is brought once; nobody repeats a click. */
  interaction(interaction: Interaction, delivery: Delivery): void {
    const { slack } = this;
    this.go(() => {
      interaction.at = slack.world.now();
      void this.send(delivery, 0).then((outcome) => {
        if (outcome.isTaken) slack.interactions.taken(interaction, outcome.afterMs, outcome.answer);
        else {
          interaction.error = outcome.why;
          slack.journal.note('unanswered_interaction', `${delivery.what}: ${outcome.why}`);
        }
      });
    });
  }

  private go(run: () => void): void {
    const { slack } = this;
    const [from, to] = this.knobs.delayMs;
    const delay = from + slack.runtime.chance() * (to - from);
    const start = () => {
      if (this.knobs.isHeld) this.held.push(run);
      else run();
    };
    if (delay > 0) slack.runtime.later(delay, start);
    else start();
  }

  private attempt(delivery: Delivery, attempt: number, why?: FailReason): void {
    const { slack } = this;
    void this.send(delivery, attempt, why).then((outcome) => {
      if (outcome.isTaken) return;
      if (outcome.why === 'timeout') slack.journal.note('unacknowledged_event', delivery.what);
      const waitMs = this.knobs.retryMs[attempt];
      if (waitMs === undefined || !outcome.mayRepeat) return;
      slack.runtime.later(waitMs, () => this.go(() => this.attempt(delivery, attempt + 1, outcome.why)));
    });
  }

  private async send(delivery: Delivery, attempt: number, why?: FailReason): Promise<Outcome> {
    const { slack } = this;
    const way = slack.requests.isOn ? slack.requests : slack.sockets;
    this.underWay += 1;
    const outcome = await way.send(delivery, attempt, why);
    this.underWay -= 1;
    this.acks.push({
      at: slack.world.now(),
      id: delivery.id,
      what: delivery.what,
      attempt,
      afterMs: outcome.isTaken ? outcome.afterMs : undefined,
      why: outcome.isTaken ? undefined : outcome.why,
    });
    return outcome;
  }
}

export const ackWithinMs = rules.ack_within.ms;
