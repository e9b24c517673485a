/**
 * The fake without a process of its own: the Web API only, on a clock of the test, for tests in which nothing dies and time
 * is virtual. The client is made with `new WebClient(token, { slackApiUrl, fetch })`.
 */
import type { Clock } from '../../../src/ports/runtime.ts';
import { chance } from '../chance.ts';
import { type Controls, controlsOf, settle } from './controls/controls.ts';
import { respondTo } from './respond.ts';
import { Slack } from './slack.ts';

export interface InProcessSlack {
  /** The same functions as over the wire, without promises. */
  readonly controls: Controls;
  readonly apiUrl: string;
  readonly fetch: typeof fetch;
}

/** Latency, windows and lives go by `clock`, which the test moves; `advance` is not for here. */
export function inProcessSlack(clock: Clock, seed = 1): InProcessSlack {
  const luck = chance(seed);
  const slack = new Slack({
    now: () => clock.now(),
    chance: () => luck.upTo(999_999) / 1_000_000,
    sleep: (ms) => clock.sleep(ms),
    later: (ms, run) => clock.after(ms, run),
  });
  slack.url = 'http://slack.test';
  const controls = controlsOf(slack, {
    advance() {
      throw new Error('move the clock that this fake was made with');
    },
  });
  settle(slack, controls);
  return {
    controls,
    apiUrl: `${slack.url}/api/`,
    async fetch(input, init) {
      const request = new Request(input, init);
      const reply = await respondTo(slack, {
        method: request.method,
        url: new URL(request.url),
        header: (name) => request.headers.get(name) ?? undefined,
        bytes: Buffer.from(await request.arrayBuffer()),
      });
      init?.signal?.throwIfAborted();
      if (reply === 'cut') throw new TypeError('fetch failed');
      const { status, headers, body } = reply;
      return new Response(typeof body === 'string' ? body : new Uint8Array(body), { status, headers });
    },
  };
}
