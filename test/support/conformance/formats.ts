/** The formats of the conformance vectors, told apart by their fields, and the check for a case of each. */

import { probeLabel } from '../../../src/loop/reading/label-probe.ts';
import { judgeLabel } from '../../../src/loop/reading/label-violations.ts';
import { TextToolCalls } from '../../../src/loop/reading/text-tool-calls.ts';
import { ThinkFilter } from '../../../src/loop/reading/think-tags.ts';
import { type ComposeInput, composeTools } from '../../../src/tools/compose-tools.ts';
import { compare, type Problems } from './compare.ts';
import { checkDispatchCase } from './dispatch.ts';
import type { GuardCase, GuardConfig } from './guard-case.ts';
import { checkGuardCase } from './guards.ts';

export interface ConformanceCase {
  readonly title: string;
  check(): Promise<Problems>;
}

type Fields = Readonly<Record<string, unknown>>;

/** The cases of one parsed file. Throws when it has none of the formats. */
export function casesOf(file: unknown): ConformanceCase[] {
  if (Array.isArray(file)) return (file as Fields[]).map(caseOf);
  const { format, defaults, cases } = file as { format?: string; defaults: GuardConfig; cases: GuardCase[] };
  if (format !== 'guards/1')
    throw new Error('expected an array of cases, or an object with "format": "guards/1"');
  return cases.map((each) => ({
    title: `${each.id} ${each.about}`,
    check: () => checkGuardCase({ ...each, config: { ...defaults, ...each.config } }),
  }));
}

function caseOf(fields: Fields): ConformanceCase {
  const known = formats.find(({ fields: needed }) => needed.every((field) => field in fields));
  if (known === undefined)
    throw new Error(`a case with the fields ${Object.keys(fields).join(', ')} has no known format`);
  return { title: String(fields['name']), check: async () => known.check(fields as never) };
}

interface LabelCase {
  buffer: string;
  allowed: string[];
  ended: boolean;
  expected: 'pending' | 'unknown' | { label: string; rest: string };
}

interface ViolationCase {
  reply: string;
  tool_calls: string[];
  allowed: string[];
  tool_label: string | null;
  expected: { label: string; violation: string | null; inline_labels: string[] };
}

interface ThinkCase {
  chunks: string[];
  expected: { visible: string; thinking: string };
}

interface DsmlCase {
  chunks: string[];
  params: Record<string, Record<string, string | string[]>>;
  expected: { calls: { name: string; arguments: unknown }[]; text: string };
}

interface ComposeCase extends Omit<ComposeInput, 'builtinWhitelist'> {
  builtin_whitelist: string[] | null;
  expected: string[];
}

const formats: { fields: string[]; check: (each: never) => Problems | Promise<Problems> }[] = [
  { fields: ['buffer', 'ended'], check: checkLabel },
  { fields: ['reply', 'tool_label'], check: checkViolation },
  { fields: ['chunks', 'params'], check: checkDsml },
  { fields: ['chunks'], check: checkThink },
  { fields: ['calls', 'tools'], check: checkDispatchCase },
  { fields: ['toggles', 'suppressed'], check: checkCompose },
];

function checkLabel({ buffer, allowed, ended, expected }: LabelCase): Problems {
  const probe = probeLabel(buffer, allowed, ended);
  return compare(
    'label',
    probe.kind === 'label' ? { label: probe.label, rest: probe.rest } : probe.kind,
    expected,
  );
}

function checkViolation({ reply, tool_calls, allowed, tool_label, expected }: ViolationCase): Problems {
  const judged = judgeLabel(reply, tool_calls.length, { allowed, tool: tool_label });
  return [
    ...compare('label', judged.label, expected.label),
    ...compare('violation', judged.violation, expected.violation),
    ...compare('inline labels', judged.inlineLabels.toSorted(), expected.inline_labels.toSorted()),
  ];
}

function checkThink({ chunks, expected }: ThinkCase): Problems {
  const filter = new ThinkFilter();
  const pieces = [...chunks.flatMap((chunk) => filter.feed(chunk)), ...filter.end()];
  const joined = (kind: 'visible' | 'thinking') =>
    pieces.map((piece) => (piece.kind === kind ? piece.text : '')).join('');
  return compare('text', { visible: joined('visible'), thinking: joined('thinking') }, expected);
}

function checkDsml({ chunks, params, expected }: DsmlCase): Problems {
  const types = new Map(
    Object.entries(params).map(([name, each]) => [
      name,
      new Map(Object.entries(each).map(([key, type]) => [key, [type].flat()])),
    ]),
  );
  const reader = new TextToolCalls(types);
  const flowing = chunks.map((chunk) => reader.feed(chunk)).join('');
  const { text, calls } = reader.end();
  const seen = calls.map((call) => ({ name: call.name, arguments: JSON.parse(call.args) as unknown }));
  return [
    ...compare('calls', seen, expected.calls),
    ...compare(
      'text',
      (flowing + text).replaceAll(/\s+/gu, ' ').trim(),
      expected.text.replaceAll(/\s+/gu, ' ').trim(),
    ),
  ];
}

function checkCompose({ builtin_whitelist, expected, ...input }: ComposeCase): Problems {
  return compare('tools', composeTools({ ...input, builtinWhitelist: builtin_whitelist }), expected);
}
