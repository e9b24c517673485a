/** What is wrong with a finished reply under a label protocol. */
import { FencedLines } from './code-regions.ts';
import { probeLabel, UNKNOWN_LABEL } from './label-probe.ts';
import { stripThinking } from './think-tags.ts';

export interface JudgedLabel {
  /** `UNKNOWN` when the reply has none; `rest` is then all its visible text. */
  readonly label: string;
  readonly rest: string;
  /** The first broken rule: `missing_label`, `multiple_labels`, `tool_without_calls` or `<label>_with_tools`. */
  readonly violation: string | null;
  readonly inlineLabels: string[];
}

/**
 * Judges a whole reply that came with `toolCalls` calls. Think blocks are not part of it. Without a tool label calls
 * mean nothing.
 */
export function judgeLabel(
  reply: string,
  toolCalls: number,
  protocol: { readonly allowed: readonly string[]; readonly tool: string | null },
): JudgedLabel {
  const visible = stripThinking(reply);
  const probe = probeLabel(visible, protocol.allowed, true);
  if (probe.kind !== 'label') {
    return { label: UNKNOWN_LABEL, rest: visible, violation: 'missing_label', inlineLabels: [] };
  }
  const { label, rest } = probe;
  const found = inlineLabels(rest, protocol.allowed);
  return { label, rest, violation: violationOf(label, found, toolCalls, protocol.tool), inlineLabels: found };
}

function violationOf(
  label: string,
  inline: readonly string[],
  calls: number,
  tool: string | null,
): string | null {
  if (inline.length > 0) return 'multiple_labels';
  if (tool === null) return null;
  if (label === tool) return calls === 0 ? 'tool_without_calls' : null;
  return calls > 0 ? `${label.toLowerCase()}_with_tools` : null;
}

/**
 * The labels at the start of a line of the body, in their order. In prose a bare word counts only alone on its line or
 * before a colon; nothing inside fenced code counts.
 */
export function inlineLabels(rest: string, allowed: readonly string[]): string[] {
  if (allowed.length === 0) return [];
  const labels = allowed
    .toSorted((a, b) => b.length - a.length)
    .map((label) => label.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    .join('|');
  const wrapped = '(`+)\\p{White_Space}*(LABEL)\\p{White_Space}*\\1(?=$|[ \\t\\r\\n:：\\-–—])';
  const bare = '(LABEL)(?=[ \\t]*(?:$|[\\r\\n])|[:：])';
  const atLineStart = new RegExp(`[ \\t]*(?:${wrapped}|${bare})`.replaceAll('LABEL', labels), 'uy');
  const fences = new FencedLines();
  const found: string[] = [];
  for (const { 0: line, index } of rest.matchAll(/[^\r\n]+/g)) {
    if (fences.take(line)) continue;
    atLineStart.lastIndex = index;
    const match = atLineStart.exec(rest);
    const label = match?.[2] ?? match?.[3];
    if (label !== undefined) found.push(label);
  }
  return found;
}
