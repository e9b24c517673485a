import { describe, expect, test } from 'vitest';
import { GrowingText } from '../../src/domain/growing-text.ts';

describe('a growing text', () => {
  test('is all of its pieces in order, however many there are and whenever it is read', () => {
    const text = new GrowingText('start ');
    let expected = 'start ';
    for (const count of [7, 249, 256, 1_000]) {
      for (let piece = 0; piece < count; piece++) {
        text.append(`${piece} `);
        expected += `${piece} `;
      }
      expect(text.toString()).toBe(expected);
    }
  });

  test('knows its length without being read', () => {
    const text = new GrowingText();
    expect(text.length).toBe(0);
    for (const piece of ['moon', '', '月亮', '🌊']) text.append(piece);
    expect(text.length).toBe('moon月亮🌊'.length);
    expect(text.toString()).toBe('moon月亮🌊');
  });
});
