import { describe, expect, test } from 'vitest';
import { bareSum } from '../../src/maths/bare-sum.ts';

test('a sum is recognised with what it comes to and the words that gave it away', () => {
  expect(bareSum('what is 3/4 + 1/6?')).toEqual({
    expression: '3/4 + 1/6',
    value: '11/12',
    decimal: '≈ 0.916667',
    words: ['what', 'is', '/', '+'],
  });
  expect(bareSum('0.1+0.2')).toEqual({ expression: '0.1 + 0.2', value: '0.3', words: ['+'] });
});

describe('nothing but a sum', () => {
  test.each([
    ['12*7', '84'],
    ['12x7 =', '84'],
    ['12 x 7', '84'],
    ['=2+3', '5'],
    ['`12*7`', '84'],
    ['12 \\* 7', '84'],
    ['12*7.', '84'],
    ['What’s 2^10?', '1024'],
    ['what is 12 times 7', '84'],
    ['calculate: 12*7', '84'],
    ['please compute (3.5-1.25)*2', '4.5'],
    ['can you work out 144/12 for me?', '12'],
    ['Was ist 17 · 23?', '391'],
    ['Wie viel ist 12 mal 7?', '84'],
    ['rechne bitte 12*7 aus', '84'],
    ['Wurzel aus 144', '12'],
    ['计算 12×(3+4)', '84'],
    ['12乘以7等于多少？', '84'],
    ['请问12加7是多少', '19'],
    ['（3＋4）×２', '14'],
    ['80的15%是多少', '12'],
    ['15% of 80', '12'],
    ['50 percent of 30', '15'],
    ['1/2 of 80', '40'],
    ['3,5 + 1,5', '5'],
    ['1,000 * 3', '3000'],
    ['√16 + 9', '13'],
    ['2²+3²', '13'],
    ['½ + ¼', '3/4'],
    ['3½ × 2', '7'],
    ['3(4+1)', '15'],
    ['-5 + 3', '-2'],
    ['1-3', '-2'],
    ['10 - 20', '-10'],
    ['10-2-3', '5'],
    ['12÷4', '3'],
    ['2 : 4 =', '1/2'],
    ['(10-4)/2(1)', '3'],
    ['what is 1920x1080', '2073600'],
    ['7 - 7', '0'],
  ])('%s → %s', (text, value) => {
    expect(bareSum(text)?.value).toBe(value);
  });
});

describe('everything else is left to the conversation', () => {
  test.each([
    // no sum at all
    '',
    'hello',
    'what is love',
    '42',
    '-5',
    '+1',
    '50%',
    '(5)',
    '-',
    '1+',
    '3/',
    // dates, times, numbers of things
    '2026-11-30',
    'what is 2026-11-30',
    '30.11.2026',
    '11/30/2026',
    '30-11-26',
    '2024-05',
    '2019-2024',
    '12:30-13:00',
    '1–3',
    '10–20',
    '555-1234',
    '(555) 123-4567',
    '555-123-4567',
    '+49 30 1234567',
    '030/1234567',
    '978-3-16-148410-0',
    'v1.2-3',
    '1.2.3',
    '1.2.3-4',
    '1920x1080',
    '24/7',
    '3:4',
    '16:9',
    'C4+5',
    // more than a sum
    'ratio 3 : 4',
    'pages 1-3',
    '3/4 cup of sugar',
    'I have 3 + 4 apples',
    '7 - 8 apples',
    'help me with 12*7',
    '12*7 and 3*4',
    '12*7\n3*4',
    'https://example.org/1+1',
    'see example.org/2-3',
    '12*7=84',
    '2x+3',
    'x = 4',
    '2x + 3 = 11',
    // two readings, or no value
    '6/2(1+2)',
    '80 + 10%',
    '1/0',
    '√2',
    '9^9^9^9',
    '17 % 5',
    '5! + 1',
    `1${'+1'.repeat(300)}`,
  ])('%s', (text) => {
    expect(bareSum(text)).toBeUndefined();
  });
});
