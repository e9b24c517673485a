import { expect, test } from 'vitest';
import { readCommandLine } from '../../src/commands/read-command-line.ts';

test.each([
  ['/reminders', { name: 'reminders' }],
  ['/Unlink ', { name: 'unlink' }],
  ['/link', { name: 'link', code: undefined }],
  ['/link ab3d-efgh', { name: 'link', code: 'ab3d-efgh' }],
  ['/memory', { name: 'memory list' }],
  ['/memory list', { name: 'memory list' }],
  ['/memory forget 12', { name: 'memory forget', number: 12 }],
  ['/settings', { name: 'settings', change: {} }],
  ['/settings zone Europe/Berlin', { name: 'settings', change: { zone: 'Europe/Berlin' } }],
  ['/settings language auto', { name: 'settings', change: { language: undefined } }],
  ['/settings style Short', { name: 'settings', change: { style: 'short' } }],
  ['/remind tomorrow at 9:30: redo: this', { name: 'remind', when: 'tomorrow at 9:30', what: 'redo: this' }],
])('%s', (line, command) => {
  expect(readCommandLine(line)).toEqual(command);
});

test.each([
  'reminders',
  '/reminders please',
  '/memory forget it',
  '/settings colour blue',
  '/settings style loud',
  '/remind me tomorrow at 9:30',
  '/solve 2x = 8',
  'what does /link do?',
])('%s is a message', (line) => {
  expect(readCommandLine(line)).toBeUndefined();
});
