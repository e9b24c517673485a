/** The fake Slack as a process of its own, so that it outlives every app. Prints its address; ends with its parent. */
import { setTimeout as sleep } from 'node:timers/promises';
import { chance } from '../chance.ts';
import { type Controls, controlsOf, settle } from './controls/controls.ts';
import { serve } from './http.ts';
import { MovableClock } from './movable-clock.ts';
import { Slack } from './slack.ts';

const clock = new MovableClock();
const luck = chance(Number(process.env['SEED'] ?? 1));
let url = '';

function begin(): { readonly slack: Slack; readonly controls: Controls } {
  const slack = new Slack({
    now: () => clock.now(),
    chance: () => luck.upTo(999_999) / 1_000_000,
    sleep: (ms) => sleep(ms),
    later: (ms, run) => clock.later(ms, run),
  });
  slack.url = url;
  const controls = controlsOf(slack, { advance: (ms) => clock.advance(ms) });
  settle(slack, controls);
  return { slack, controls };
}

let running = begin();

/** A new world in the same process: much faster than another one. */
function startAnew(): void {
  running.controls.cutSockets();
  running = begin();
}

const server = serve(
  () => running.slack,
  (name, args) => {
    if (name === 'startAnew') return startAnew();
    const control = running.controls[name as keyof Controls] as
      | ((...given: readonly unknown[]) => unknown)
      | undefined;
    if (control === undefined) throw new Error(`the fake has no control "${name}"`);
    return control(...args);
  },
);
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address !== 'object' || address === null) return;
  url = `http://127.0.0.1:${address.port}`;
  running = begin();
  console.log(url);
});
process.stdin.on('end', () => process.exit()).resume();
