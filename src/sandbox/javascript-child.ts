/** One JavaScript program of a learner, in an engine of its own: it has `console.log`, `print`, `readline`, nothing else. */
import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
} from 'quickjs-emscripten-core';
import { harden } from './harden.ts';
import { capMemory } from './memory.ts';
import { readJob, send } from './pipe.ts';

const maxBytes = 128 * 1024 * 1024;
const maxStackBytes = 160 * 1024;

capMemory(maxBytes);
const quickJs = await newQuickJSWASMModuleFromVariant(variant.default ?? variant);
harden();
send({ ready: true });
const job = readJob();
if (job !== undefined) run(job.code, job.stdin);

function run(code: string, stdin: string): void {
  const runtime = quickJs.newRuntime();
  runtime.setMemoryLimit(maxBytes / 2);
  runtime.setMaxStackSize(maxStackBytes);
  const context = runtime.newContext();
  const lines = stdin === '' ? [] : stdin.replace(/\n$/, '').split('\n');
  offer(context, lines);
  const result = context.evalCode(code, 'program.js', {
    type: code.match(/^\s*(?:import|export)\b/m) ? 'module' : 'global',
  });
  if (result.error !== undefined) return fail(context, result.error);
  const jobs = runtime.executePendingJobs();
  if (jobs.error !== undefined) return fail(context, jobs.error);
  const state = context.getPromiseState(result.value);
  if (state.type === 'rejected') return fail(context, state.error);
  send({ end: 'well' });
}

function offer(context: QuickJSContext, lines: string[]): void {
  const show = context.newFunction('print', (...values) => {
    send({ text: `${values.map((value) => textOf(context, value)).join(' ')}\n` });
  });
  const read = context.newFunction('readline', () => {
    const line = lines.shift();
    return line === undefined ? context.null : context.newString(line);
  });
  context.setProp(context.global, 'print', show);
  context.setProp(context.global, 'readline', read);
  context.setProp(context.global, 'prompt', read);
  const console = context.newObject();
  for (const name of ['log', 'info', 'warn', 'error', 'debug']) context.setProp(console, name, show);
  context.setProp(context.global, 'console', console);
}

/** As a console shows it: text as it is, other values as JSON where they have one. */
function textOf(context: QuickJSContext, value: QuickJSHandle): string {
  const type = context.typeof(value);
  if (type !== 'object')
    return context.getString(type === 'symbol' ? context.getProp(value, 'description') : value);
  const json = context
    .getProp(context.global, 'JSON')
    .consume((JSON_) => context.callMethod(JSON_, 'stringify', [value]));
  if (json.error !== undefined) return context.getString(value);
  return context.typeof(json.value) === 'string' ? context.getString(json.value) : context.getString(value);
}

function fail(context: QuickJSContext, error: QuickJSHandle): void {
  const part = (name: string) => {
    const value = context.typeof(error) === 'object' ? context.getProp(error, name) : context.undefined;
    return context.typeof(value) === 'string' ? context.getString(value) : '';
  };
  const message = context.typeof(error) === 'object' ? part('message') : String(context.dump(error));
  const name = part('name') || 'Error';
  const stack = part('stack');
  send({ text: `${name}: ${message}\n${stack}` });
  send({ end: /out of memory/.test(message) ? 'memory' : 'failed' });
}
