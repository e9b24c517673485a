import { expect, test } from 'vitest';
import { sseData } from '../../src/model/sse-data.ts';

/** The data of all events when the body arrives in pieces of `size` bytes. */
function read(body: string, size = body.length): string[] {
  const bytes = Buffer.from(body);
  const dataIn = sseData();
  const events: string[] = [];
  for (let at = 0; at < bytes.length; at += size) events.push(...dataIn(bytes.subarray(at, at + size)));
  return [...events, ...dataIn()];
}

test.each<[string, string[]]>([
  ['data: {"a":1}\n\ndata: [DONE]\n\n', ['{"a":1}', '[DONE]']],
  ['data:{"a":1}\n\n', ['{"a":1}']],
  ['data:  two blanks\n\n', [' two blanks']],
  [': comment\n\n:\n\nevent: x\nid: 1\nretry: 5\ndata: a\n\n', ['a']],
  ['data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
  ['data: a\r\rdata: b\r\r', ['a', 'b']],
  ['data: {\ndata: }\n\n', ['{\n}']],
  ['data:\n\n', ['']],
  ['data: without an end', ['without an end']],
  ['data: one line break\n', ['one line break']],
  ['data: é漢👩‍🏫\n\n', ['é漢👩‍🏫']],
  ['\n\n\n', []],
  ['database: no\n\n', []],
  ['', []],
])('%j holds %j, wherever it is cut', (body, events) => {
  for (const size of [1, 2, 3, 5, 1_000]) expect(read(body, size)).toEqual(events);
});

test('an event of 4 MB in a hundred thousand pieces is read at once', () => {
  const big = 'x'.repeat(4_000_000);
  expect(read(`data: ${big}\n\n`, 40)).toEqual([big]);
});
