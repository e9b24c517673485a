/** The project's Markdown documents, taken apart: sections, tables, code in backticks, links, shell blocks. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Every document of the project, by its path from the root. */
export const documents: readonly string[] = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.posix.join('docs', name)),
];

export function read(file: string): string {
  return readFileSync(file, 'utf8');
}

/** The text below `## title`, up to the next heading of that level. Throws when there is none. */
export function section(text: string, title: string): string {
  const parts = text.split(/^## /m).slice(1);
  const found = parts.find((part) => part.startsWith(`${title}\n`));
  if (found === undefined) throw new Error(`no section "${title}"`);
  return found;
}

/** Each table as rows of trimmed cells, without its head. */
export function tablesOf(text: string): string[][][] {
  return [...text.matchAll(/^\|.*\n\|[ |-]+\n((?:\|.*(?:\n|$))*)/gm)].map(([, body = '']) =>
    body.trimEnd().split('\n').map(cellsOf),
  );
}

/** The rows of all tables. */
export function rowsOf(text: string): string[][] {
  return tablesOf(text).flat();
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}

/** What a cell begins with, when that stands in backticks; else the cell as it is. */
export function bare(cell: string): string {
  return cell.replace(/^`([^`]*)`.*$/, '$1');
}

/** Everything in single backticks. */
export function codeIn(text: string): string[] {
  return [...text.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(([, code = '']) => code);
}

export function withoutFences(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '');
}

/** Targets of the links that lead nowhere; addresses on the web are not tried. */
export function deadLinksIn(document: string): string[] {
  return [...withoutFences(read(document)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !target.startsWith('https://') && !leadsSomewhere(document, target));
}

function leadsSomewhere(document: string, target: string): boolean {
  const [file = '', anchor] = target.split('#', 2);
  const full = file === '' ? document : path.posix.join(path.posix.dirname(document), file);
  if (!existsSync(full)) return false;
  return anchor === undefined || anchorsOf(read(full)).includes(anchor);
}

/** As GitHub makes them: lower case, marks out, blanks to hyphens. */
function anchorsOf(text: string): string[] {
  return [...withoutFences(text).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** A fenced block of shell commands, and the block of output that stands right behind it. */
export interface ShellBlock {
  readonly document: string;
  /** Marked `sh manual`: for a person to adapt, so it cannot be run as it stands. */
  readonly isManual: boolean;
  readonly lines: readonly string[];
  readonly output: string | undefined;
}

export function shellBlocks(): ShellBlock[] {
  return documents.flatMap((document) =>
    [...read(document).matchAll(/^```sh( manual)?\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```$)?/gm)].map(
      ([, manual, commands = '', output]) => ({
        document,
        isManual: manual !== undefined,
        lines: commands.trimEnd().split('\n'),
        output,
      }),
    ),
  );
}
