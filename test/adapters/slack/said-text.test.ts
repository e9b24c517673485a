// Slack's marks as people see them.
import { expect, test } from 'vitest';
import { mentionedIn, mentionsGroup, saidText } from '../../../src/adapters/slack/said-text.ts';

const nameOf = (id: string) => (id === 'U1' ? 'mia' : undefined);

test.each([
  ['<@UBOT> hello', 'hello'],
  ['hello <@UBOT|docent>', 'hello'],
  ['<@U1> and <@U2|ben> and <@U3>', '@mia and @ben and @U3'],
  ['<#C1|maths> <#C2>', '#maths #C2'],
  ['<!here> <!channel> <!subteam^S1|@tutors> <!subteam^S2>', '@here @channel @tutors @S2'],
  ['<!date^1392734382^{date} at {time}|February 18>', 'February 18'],
  ['<https://a.example/x?y=1&amp;z=2>', 'https://a.example/x?y=1&z=2'],
  ['<https://a.example|a.example>', 'https://a.example'],
  ['<https://a.example/x|the page>', 'the page (https://a.example/x)'],
  ['<mailto:mia@a.example|mia@a.example>', 'mia@a.example'],
  ['1 &lt; 2 &amp;&amp; 3 &gt; 2', '1 < 2 && 3 > 2'],
  ['&amp;lt;', '&lt;'],
  ['a <b> c', 'a <b> c'],
  ['List<String> x', 'List<String> x'],
  ['  two   spaces  ', 'two spaces'],
])('%j', (text, expected) => {
  expect(saidText(text, nameOf, 'UBOT')).toBe(expected);
});

test('who is mentioned', () => {
  expect(mentionedIn('<@U1> <@U1|mia> <@W2>')).toEqual(['U1', 'W2']);
  expect(mentionsGroup('hello <!subteam^S1>')).toBe(true);
  expect(mentionsGroup('hello <!here>')).toBe(false);
});
