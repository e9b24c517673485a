/**
 * The Markdown that chats show: CommonMark with tables, strikethrough, task lists and bare links. No HTML, footnotes or
 * reference links, which neither Discord nor Slack renders; without them no block depends on a block far away.
 */
import type { Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

const left = [
  'definition',
  'htmlFlow',
  'htmlText',
  'gfmFootnoteCall',
  'gfmFootnoteDefinition',
  'gfmPotentialFootnoteCall',
];
/** "~5 minutes" is no strikethrough. */
export const extensions = [gfm({ singleTilde: false }), { disable: { null: left } }];
/** Without its search for bare links in the finished tree: those nodes would have no place in the text. */
export const mdastExtensions = gfmFromMarkdown().map(({ transforms: _transforms, ...rest }) => rest);

/** Offsets into a text. `to` is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export function parse(text: string): Root {
  return fromMarkdown(text, { extensions, mdastExtensions });
}

export function spanOf({ position }: Nodes): Span {
  return { from: position?.start.offset ?? 0, to: position?.end.offset ?? 0 };
}
