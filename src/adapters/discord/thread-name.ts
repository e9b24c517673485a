/** What a thread is called: the question in short, without mentions and markup. */
import { cutText } from '../../domain/cut-text.ts';

const maxChars = 60;

export function threadName(text: string): string {
  const plain = text
    .replaceAll(/```[^\n]*\n?/gu, ' ')
    .replaceAll(/<(?:@[!&]?|#|a?:\w+:|\/[^:>]*:|t:)[^>]*>/gu, ' ')
    .replaceAll(/@(?=everyone|here)/gu, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
    .replaceAll(/^\s*(?:#{1,3}|-#|>{1,3}|[-*])\s+/gmu, ' ')
    .replaceAll(/\*\*|__|~~|\|\||`/gu, '')
    .replaceAll(/(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/gu, '')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (mark) => (mark === '\u200d' ? mark : ' '))
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return plain === '' ? 'Question' : cutText(plain, maxChars);
}
