import { describe, expect, test } from 'vitest';
import { inlineLabels, judgeLabel } from '../../../src/loop/reading/label-violations.ts';
import cases from '../../fixtures/vectors/violations.json' with { type: 'json' };

const allowed = ['FINISH', 'TOOL', 'THINK'];
const protocol = { allowed, tool: 'TOOL' };

const byName = (a: string, b: string) => a.localeCompare(b);

test('a clean reply has a label, a body and nothing wrong', () => {
  expect(judgeLabel('``FINISH``\nThe slope is 3.', 0, protocol)).toEqual({
    label: 'FINISH',
    rest: 'The slope is 3.',
    violation: null,
    inlineLabels: [],
  });
});

test('a reply without a label keeps all its visible text', () => {
  expect(judgeLabel('<think>hm</think>The slope is 3.', 0, protocol)).toEqual({
    label: 'UNKNOWN',
    rest: 'The slope is 3.',
    violation: 'missing_label',
    inlineLabels: [],
  });
});

describe('labels in the body', () => {
  test.each([
    ['``TOOL``', ['TOOL']],
    ['`TOOL` and more', ['TOOL']],
    ['``TOOL`` ``THINK``', ['TOOL']],
    ['``TOOL```', []],
    ['``TOOL``s', []],
    ['\t FINISH  ', ['FINISH']],
    ['FINISH:\nTOOL：x\nTHINK', ['FINISH', 'TOOL', 'THINK']],
    ['FINISH\rTHINK', ['FINISH', 'THINK']],
    ['FINISH = 1', []],
    ['FINISH - about 3', []],
    ['1. FINISH', []],
    ['    ```\n    TOOL\n    ```\nok', []],
    ['````\n```\nTOOL\n````\nTHINK', ['THINK']],
    ['~~~ log ` x\nTOOL\n```\nTHINK\n~~~\nFINISH', ['FINISH']],
    ['```\nTOOL', []],
    ['```\nTOOL\n``` not a closing fence\nTHINK', []],
    ['```\n    ```\nTOOL\n```', []],
    ['``` a ` b\nTOOL', ['TOOL']],
  ])('%j has %j', (body, found) => {
    expect(inlineLabels(body, allowed)).toEqual(found);
  });

  test('longer labels come first, and signs in a label mean themselves', () => {
    expect(inlineLabels('PLANNER: x\nPLAN: y\nA+B\nAAB', ['PLAN', 'PLANNER', 'A+B'])).toEqual([
      'PLANNER',
      'PLAN',
      'A+B',
    ]);
  });

  test('no vocabulary, no labels', () => {
    expect(inlineLabels('FINISH', [])).toEqual([]);
  });
});

describe('violations.json', () => {
  test.each(cases)('$name', ({ reply, tool_calls, allowed: labels, tool_label, expected }) => {
    const judged = judgeLabel(reply, tool_calls.length, { allowed: labels, tool: tool_label });
    expect({
      label: judged.label,
      violation: judged.violation,
      inline_labels: judged.inlineLabels.toSorted(byName),
    }).toEqual({ ...expected, inline_labels: expected.inline_labels.toSorted(byName) });
  });
});
