/**
 * The fake without a process of its own: REST only, on a clock of the test, for tests in which nothing dies and time is
 * virtual. The client is made with `new REST({ api, makeRequest })`.
 */
import type { RESTOptions } from 'discord.js';
import type { Clock } from '../../../src/ports/runtime.ts';
import { chance } from '../chance.ts';
import { type Controls, controlsOf, settle } from './controls/controls.ts';
import { Discord } from './discord.ts';
import { readIncoming } from './rest/incoming.ts';

export interface InProcessDiscord {
  /** The same functions as over the wire, without promises. */
  readonly controls: Controls;
  readonly api: string;
  readonly makeRequest: RESTOptions['makeRequest'];
}

/** Latency, windows and deadlines go by `clock`, which the test moves; `advance` and `freezeClock` are not for here. */
export function inProcessDiscord(clock: Clock, seed = 1): InProcessDiscord {
  const luck = chance(seed);
  const discord = new Discord({
    now: () => clock.now(),
    chance: () => luck.upTo(999_999) / 1_000_000,
    sleep: (ms) => clock.sleep(ms),
    later: (ms, run) => clock.after(ms, run),
  });
  const moved = () => {
    throw new Error('move the clock that this fake was made with');
  };
  const controls = controlsOf(discord, { advance: moved, freeze: moved });
  settle(controls);
  const makeRequest = async (url: string, init: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    const header = (name: string) => request.headers.get(name) ?? undefined;
    const bytes = Buffer.from(await request.arrayBuffer());
    const answer = await discord.handle(await readIncoming(request.method, new URL(url), header, bytes));
    init.signal?.throwIfAborted();
    if (answer === 'cut') throw new Error('other side closed');
    const { status, headers, body, html } = answer;
    const type = html === undefined ? 'application/json' : 'text/html';
    const text = html ?? (body === undefined ? null : JSON.stringify(body));
    return new Response(text, {
      status,
      headers: { ...(text !== null && { 'content-type': type }), ...headers },
    });
  };
  return {
    controls,
    api: 'http://discord.test/api',
    makeRequest: makeRequest as unknown as RESTOptions['makeRequest'],
  };
}
