// What is typed behind /docent.
import { expect, test } from 'vitest';
import { readCommand } from '../../../src/adapters/slack/read-command.ts';
import { readCommandLine } from '../../../src/commands/read-command-line.ts';

test.each([
  ['', { kind: 'answered', command: { name: 'help' } }],
  [' HELP ', { kind: 'answered', command: { name: 'help' } }],
  ['ask why?', { kind: 'asked', as: 'message', question: 'why?' }],
  ['ask', { kind: 'asked', as: 'message', question: '' }],
  ['next and then?', { kind: 'asked', as: 'next', question: 'and then?' }],
  ['stop', { kind: 'stop' }],
  ['stop making sense', { kind: 'asked', as: 'message', question: 'stop making sense' }],
  ['new', { kind: 'new' }],
  ['memory', { kind: 'answered', command: { name: 'memory list' } }],
  ['memory forget 2', { kind: 'answered', command: { name: 'memory forget', number: 2 } }],
  ['memory sideways', { kind: 'answered', command: { name: 'help' } }],
  ['link ABCD', { kind: 'answered', command: { name: 'link', code: 'ABCD' } }],
  ['link', { kind: 'answered', command: { name: 'link', code: undefined } }],
  ['unlink', { kind: 'answered', command: { name: 'unlink' } }],
  [
    'remind tomorrow at 9: revise',
    { kind: 'answered', command: { name: 'remind', when: 'tomorrow at 9', what: 'revise' } },
  ],
  [
    'settings zone Europe/Riga',
    { kind: 'answered', command: { name: 'settings', change: { zone: 'Europe/Riga' } } },
  ],
  ['what is a derivative?', { kind: 'asked', as: 'message', question: 'what is a derivative?' }],
])('%j', (text, expected) => {
  expect(readCommand(text, readCommandLine)).toEqual(expected);
});
