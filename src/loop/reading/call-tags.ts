/**
 * The tags of tool calls that are written as text. Models decorate the names in many ways (`<｜DSML｜invoke`,
 * `<|DSML| invoke`, `<invoke`), so any marks may stand before the word that counts.
 */
import type { TagGrammar } from './tag-stream.ts';

export interface CallTag {
  /** `wrapper` stands around calls and means nothing by itself. */
  readonly word: 'invoke' | 'parameter' | 'wrapper';
  readonly closes: boolean;
  /** The attribute `name`, trimmed; empty when absent. */
  readonly name: string;
  /** Marked `string="true"`. */
  readonly isText: boolean;
}

/** A longer tag is text, and so is one with more marks before its word. Unit: UTF-16 units. */
const MAX_TAG = 512;
const MAX_MARKS = 32;

const WORDS = ['invoke', 'parameter', 'tool_calls', 'function_calls', 'calls'];
const LONGEST_WORD = Math.max(...WORDS.map((word) => word.length));

// `calls` alone is too common a word; with a mark before it, it is a wrapper of newer models.
const WORD = '(invoke|parameter|tool_calls|function_calls|(?<=[^\\s<\\w/]\\s*)calls)';
const TAG = new RegExp(`^<\\s*(?:(/)\\s*)?(?:[^\\s<>/]{1,${MAX_MARKS}}?\\s*)?${WORD}(?:\\s([^<>]*))?>$`, 'i');
const STARTED = /^<\s*(?:\/\s*)?([^\s<>/]*)(?:(\s+)(\S*)(\s?))?/;
const ATTRIBUTE = /([^\s=<>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

export const callTags: TagGrammar<CallTag> = {
  read(raw) {
    const match = raw.length <= MAX_TAG ? TAG.exec(raw) : null;
    if (match === null) return undefined;
    const [, slash, found = '', written = ''] = match;
    const word = found.toLowerCase();
    const attributes = new Map<string, string>();
    for (const [, key = '', double, single] of written.matchAll(ATTRIBUTE)) {
      attributes.set(key.toLowerCase(), double ?? single ?? '');
    }
    return {
      word: word === 'invoke' || word === 'parameter' ? word : 'wrapper',
      closes: slash !== undefined,
      name: attributes.get('name')?.trim() ?? '',
      isText: attributes.get('string')?.toLowerCase() === 'true',
    };
  },

  mayBecome(start) {
    if (start.length >= MAX_TAG) return false;
    const match = STARTED.exec(start);
    if (match === null) return false;
    const [all, first = '', gap, second = '', after] = match;
    if (first.length > MAX_MARKS + LONGEST_WORD) return false;
    if (gap === undefined) return all.length === start.length;
    const head = first.toLowerCase();
    if (WORDS.some((word) => head.endsWith(word))) return true;
    const tail = second.toLowerCase();
    return WORDS.some((word) => (after === '' ? word.startsWith(tail) : word === tail));
  },
};
