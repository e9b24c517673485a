/** The fake Discord as a process of its own, so that it outlives every bot. Prints its address; ends with its parent. */
import { setTimeout as sleep } from 'node:timers/promises';
import { chance } from '../chance.ts';
import { type Controls, controlsOf, settle } from './controls/controls.ts';
import { Discord } from './discord.ts';
import { serve } from './http.ts';

let aheadMs = 0;
let frozenAt: number | undefined;
const time = () => frozenAt ?? Date.now();
const luck = chance(Number(process.env['SEED'] ?? 1));
let url = '';

function begin(): { readonly discord: Discord; readonly controls: Controls } {
  const discord = new Discord({
    now: () => time() + aheadMs,
    chance: () => luck.upTo(999_999) / 1_000_000,
    sleep: (ms) => sleep(ms),
    later: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  });
  discord.cdnUrl = `${url}/cdn`;
  discord.gateway.url = `${url.replace('http', 'ws')}/gateway`;
  const controls = controlsOf(discord, {
    advance(ms) {
      aheadMs += ms;
    },
    freeze(isFrozen) {
      const now = time();
      if (!isFrozen) aheadMs += now - Date.now();
      frozenAt = isFrozen ? now : undefined;
    },
  });
  settle(controls);
  return { discord, controls };
}

let running = begin();

/** A new world in the same process: much faster than another one. */
function startAnew(): void {
  running.discord.gateway.cutAll();
  running = begin();
}

const server = serve(
  () => running.discord,
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
