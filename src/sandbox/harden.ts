/**
 * Takes everything from a process that reaches beyond it, before code of a stranger runs there. The permission model of
 * Node refuses files, processes and threads by itself; this is the second wall, and the only one in front of the network
 * where the system gives no network namespace. Nothing of it can be undone by whoever comes later.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';

/** What programs are run with has no need of anything else. */
const kept = new Set(Object.getOwnPropertyNames(globalThis).filter((name) => isOfTheLanguage(name)));

/** Modules whose functions reach out. */
const reaching =
  'async_hooks child_process cluster dgram diagnostics_channel dns dns/promises fs fs/promises http http2 https inspector module net os process readline repl tls trace_events v8 vm wasi worker_threads stream'.split(
    ' ',
  );

/** `keep`: further names of the global object. */
export function harden(keep: readonly string[] = []): void {
  const require = createRequire(import.meta.url);
  const refuse = () => {
    throw new Error('there is nothing beyond this program');
  };
  // All are loaded before the first is emptied: they need one another.
  const modules: object[] = reaching.map((name) => require(`node:${name}`));
  for (const module of modules) empty(module, refuse);
  syncBuiltinESMExports();
  const { process } = globalThis;
  empty(process, refuse);
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (kept.has(name) || keep.includes(name)) continue;
    Reflect.deleteProperty(globalThis, name);
  }
}

/** Everything that can be called on it, or on what it makes. */
function empty(thing: object, refuse: () => never, seen = new Set<object>()): void {
  if (seen.has(thing)) return;
  seen.add(thing);
  for (const name of Object.getOwnPropertyNames(thing)) {
    const { value, configurable, writable } = Object.getOwnPropertyDescriptor(thing, name) ?? {};
    if (typeof value === 'function' && value.prototype instanceof Object)
      empty(value.prototype, refuse, seen);
    if (configurable === true) Reflect.defineProperty(thing, name, { value: refuse });
    else if (writable === true) Reflect.set(thing, name, refuse);
  }
}

/** Of ECMAScript itself, WebAssembly and text coding included. */
function isOfTheLanguage(name: string): boolean {
  const more = ['globalThis', 'undefined', 'NaN', 'Infinity', 'WebAssembly', 'TextEncoder', 'TextDecoder'];
  return (
    more.includes(name) ||
    /^(?:Object|Function|Array|Number|String|Boolean|Symbol|Promise|RegExp|JSON|Math|Intl|Reflect|Proxy|Date|BigInt|ArrayBuffer|SharedArrayBuffer|DataView|Map|Set|WeakMap|WeakSet|WeakRef|FinalizationRegistry|Atomics|Iterator|(?:Uint|Int|Float|BigInt|BigUint)\d+(?:Clamped)?Array|\w*Error|parse(?:Float|Int)|is(?:Finite|NaN)|(?:en|de)codeURI(?:Component)?|escape|unescape)$/.test(
      name,
    )
  );
}
