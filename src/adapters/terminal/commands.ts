/** What the terminal understands itself; every other line goes to the conversation. */

export type Command = 'trace' | 'help' | 'stop' | 'skip' | 'exit';

const words: ReadonlyMap<string, Command> = new Map([
  ['/trace', 'trace'],
  ['/help', 'help'],
  ['/stop', 'stop'],
  ['stop', 'stop'],
  ['/skip', 'skip'],
  ['/exit', 'exit'],
  ['/quit', 'exit'],
]);

/** Any case; `stop` alone as the whole line counts too, with a full stop or an exclamation mark. */
export function commandIn(line: string): Command | undefined {
  return line.length > 20 ? undefined : words.get(line.trim().toLowerCase().replace(/[.!]$/, ''));
}

/** No answer to a question that is open: a turn of its own, or something about the person. */
export function goesPastQuestion(line: string): boolean {
  return /^\s*\/(?:next\s+\S|(?:remind|reminders|memory|settings|link|unlink)\b)/i.test(line);
}

export const helpLines: readonly string[] = [
  'Ask anything. A line written while I work joins in; Ctrl-C or /stop ends the turn.',
  '/next   and a line: it gets a turn of its own',
  '/remind, /reminders, /memory, /settings, /link, /unlink   as in /remind tomorrow at 9: redo this',
  '/trace  what I thought and did in the last turn',
  '/skip   leaves a question of mine open',
  '/exit   leaves; so does Ctrl-D, or Ctrl-C twice',
];
