/** Which tools a turn offers, and in which order: chosen → conditional → owned by the capability → always on. */
import type { Tool } from '../ports/tool.ts';

export type ToolFlag =
  | 'has_kb'
  | 'has_sources'
  | 'has_memory'
  | 'has_notebooks'
  | 'has_skills'
  | 'has_deferred_tools'
  | 'has_exec'
  | 'has_code';

/** A finding, or the check that makes it. Everything but a plain yes counts as no: `'error'`, a throw, absence. */
export type Check = boolean | 'error' | (() => boolean);

export interface ComposeInput {
  /** What the learner switched on, in that order; null means nothing was chosen. */
  readonly toggles: readonly string[] | null;
  /** The names a learner may switch on. */
  readonly optional: readonly string[];
  readonly unregistered: readonly string[];
  readonly flags: Readonly<Partial<Record<ToolFlag, Check>>>;
  /** Tools of the active capabilities. */
  readonly owned: readonly string[];
  /** The capability replaces the usual set instead of adding to it. */
  readonly exclusive: boolean;
  /** Limits conditional and always-on tools; null means no limit. It never adds. */
  readonly builtinWhitelist: readonly string[] | null;
  /** Added at the end, past every limit. */
  readonly forced: readonly string[];
  /** Removed last, past everything. */
  readonly suppressed: readonly string[];
}

interface BuiltIn {
  readonly name: string;
  /** Absent: always on. */
  readonly needs?: ToolFlag;
  /** In an exclusive turn: absent, there under the same limits, or there whatever the whitelist says. */
  readonly exclusiveTurn?: 'limited' | 'unlimited';
}

/** The one place where a built-in tool gets its step, its condition and its order. */
const builtIns: readonly BuiltIn[] = [
  { name: 'rag', needs: 'has_kb', exclusiveTurn: 'limited' },
  { name: 'kb_files', needs: 'has_kb', exclusiveTurn: 'limited' },
  { name: 'read_source', needs: 'has_sources' },
  { name: 'read_memory', needs: 'has_memory' },
  { name: 'list_notebook', needs: 'has_notebooks' },
  { name: 'write_note', needs: 'has_notebooks' },
  { name: 'read_skill', needs: 'has_skills' },
  { name: 'load_tools', needs: 'has_deferred_tools' },
  { name: 'exec', needs: 'has_exec' },
  { name: 'code_execution', needs: 'has_code' },
  { name: 'write_memory' },
  { name: 'web_fetch' },
  { name: 'github' },
  { name: 'ask_user', exclusiveTurn: 'unlimited' },
  { name: 'cron' },
];

/** Names in the order they are offered, each once, at its first place. */
export function composeTools(input: ComposeInput): string[] {
  const allowed = (tool: BuiltIn) => input.builtinWhitelist?.includes(tool.name) ?? true;
  const base = input.exclusive ? exclusiveSet(input, allowed) : usualSet(input, allowed);
  const names = new Set([...base, ...input.forced].filter((name) => name.trim() !== ''));
  for (const name of input.suppressed) names.delete(name);
  return [...names];
}

/**
 * The tools that can be sent to the model. A composed name without an implementation is left out: the model must not
 * be offered what cannot run.
 */
export function toolsFor(names: readonly string[], implementations: ReadonlyMap<string, Tool>): Tool[] {
  return names.flatMap((name) => implementations.get(name) ?? []);
}

function usualSet(input: ComposeInput, allowed: (tool: BuiltIn) => boolean): string[] {
  const chosen = (input.toggles ?? []).filter(
    (name) => input.optional.includes(name) && !input.unregistered.includes(name),
  );
  const mounted = builtIns.filter((tool) => allowed(tool) && isMet(tool, input));
  const conditional = mounted.filter((tool) => tool.needs !== undefined);
  const always = mounted.filter((tool) => tool.needs === undefined);
  return [...chosen, ...namesOf(conditional), ...input.owned, ...namesOf(always)];
}

function exclusiveSet(input: ComposeInput, allowed: (tool: BuiltIn) => boolean): string[] {
  const kept = builtIns.filter(
    (tool) =>
      isMet(tool, input) &&
      (tool.exclusiveTurn === 'unlimited' || (tool.exclusiveTurn === 'limited' && allowed(tool))),
  );
  return [...input.owned, ...namesOf(kept)];
}

function isMet(tool: BuiltIn, input: ComposeInput): boolean {
  return tool.needs === undefined || holds(input.flags[tool.needs]);
}

function holds(check: Check | undefined): boolean {
  try {
    return (typeof check === 'function' ? check() : check) === true;
  } catch {
    return false; // a gate fails closed: a check that cannot answer has not said yes
  }
}

function namesOf(tools: readonly BuiltIn[]): string[] {
  return tools.map((tool) => tool.name);
}
