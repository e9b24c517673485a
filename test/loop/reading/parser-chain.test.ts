import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LabelProbe } from '../../../src/loop/reading/label-probe.ts';
import { TextToolCalls } from '../../../src/loop/reading/text-tool-calls.ts';
import { ThinkFilter, type ThinkPiece } from '../../../src/loop/reading/think-tags.ts';
import { cutsOf } from './random-cuts.ts';

const allowed = ['FINISH', 'TOOL', 'THINK'];

/** A reply as a step reads it: think tags first, then calls, then the label. */
function readReply(chunks: readonly string[]) {
  const filter = new ThinkFilter();
  const calls = new TextToolCalls(new Map(), { knownTools: new Set(['search']) });
  const probe = new LabelProbe(allowed);
  const seen = { label: '', text: '', thinking: '' };
  const show = (visible: string) => {
    for (const piece of probe.feed(visible)) note(piece);
  };
  const note = (piece: ReturnType<LabelProbe['feed']>[number]) => {
    if (piece.kind === 'label') seen.label = piece.label;
    else seen.text += piece.text;
  };
  const route = (piece: ThinkPiece) => {
    if (piece.kind === 'thinking') seen.thinking += piece.text;
    else show(calls.feed(piece.text));
  };
  for (const chunk of chunks) filter.feed(chunk).forEach(route);
  filter.end().forEach(route);
  const rest = calls.end();
  show(rest.text);
  probe.end().forEach(note);
  return { ...seen, calls: rest.calls };
}

test('a reply with a think block, a label, text and a call comes apart in any cut', () => {
  const head = fc.constantFrom(
    '``TOOL``\n',
    ' `TOOL`',
    '```\nTOOL\n```\n',
    'TOOL: ',
    'TOOL\n',
    '\uFEFF``TOOL`` - ',
  );
  const words = fc.constantFrom('Let me look. ', 'x < 5 ', '题目。', '😀 `code` ', 'a\n\nb ');
  const reply = fc
    .tuple(head, words, words)
    .map(
      ([label, before, after]) =>
        `<think>is it ${label} or FINISH?</think>${label}${before}<tool_calls><invoke name="search"><parameter name="q">tides</parameter></invoke></tool_calls>${after}`,
    );
  fc.assert(
    fc.property(cutsOf(reply), ({ text, chunks }) => {
      const result = readReply(chunks);
      expect(result).toEqual(readReply([text]));
      expect(result).toMatchObject({ label: 'TOOL', calls: [{ name: 'search', args: '{"q":"tides"}' }] });
      expect(result.thinking).toMatch(/^is it .* or FINISH\?$/s);
      expect(result.text).not.toMatch(/think|invoke|tool_calls/);
    }),
    { numRuns: 1000 },
  );
});

test('whatever a model writes, the cuts of its stream do not matter', () => {
  const part = fc.constantFrom(
    'FINISH',
    'TOOL',
    '``',
    '`',
    '```',
    '\n',
    '\n\n',
    ' ',
    ':',
    '-',
    '5',
    'x',
    '😀',
    '<',
    '>',
    '</',
    '~~~\n',
    '<think>',
    '</think>',
    '<thinking ',
    '<invoke name="search">',
    '</invoke>',
    '<tool_calls>',
    '{}',
    '<parameter name="q">',
    '</parameter>',
    '<invoke name="launch">',
  );
  const text = fc.array(part, { maxLength: 14 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(cutsOf(text), ({ text: whole, chunks }) => {
      expect(readReply(chunks)).toEqual(readReply([whole]));
    }),
    { numRuns: 3000 },
  );
});
