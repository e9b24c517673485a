/** What stands behind `/docent` → what it asks for. Pure. */
import type { Command, CommandName } from '../../domain/command.ts';

export const slashCommand = '/docent';

export type UsedCommand =
  /** Answered to the person alone. */
  | { readonly kind: 'answered'; readonly command: Command }
  | { readonly kind: 'stop' | 'new' }
  /** Said in the conversation, where everybody reads it. */
  | { readonly kind: 'asked'; readonly as: 'message' | 'next'; readonly question: string };

const names: ReadonlySet<string> = new Set(['remind', 'reminders', 'memory', 'settings', 'link', 'unlink']);

/** `readLine` reads what is typed behind a slash. A text that begins with no command of ours is a question. */
export function readCommand(text: string, readLine: (line: string) => Command | undefined): UsedCommand {
  const line = text.trim();
  const [, name = '', rest = ''] = /^(\S*)\s*(.*)$/su.exec(line) ?? [];
  const help = { kind: 'answered', command: { name: 'help' } } as const;
  switch (name.toLowerCase()) {
    case '':
    case 'help':
      return help;
    case 'ask':
      return { kind: 'asked', as: 'message', question: rest };
    case 'next':
      return { kind: 'asked', as: 'next', question: rest };
    case 'stop':
    case 'new':
      return rest === '' ? { kind: name.toLowerCase() === 'stop' ? 'stop' : 'new' } : question(line);
    default: {
      const command = readLine(`/${line}`);
      if (command !== undefined) return { kind: 'answered', command };
      return names.has(name.toLowerCase()) ? help : question(line);
    }
  }
}

function question(text: string): UsedCommand {
  return { kind: 'asked', as: 'message', question: text };
}

/** A command as it stands in a text for people. */
export function commandAs(name: CommandName): string {
  return name === 'explain'
    ? '*Explain this*'
    : `\`${slashCommand} ${name === 'memory list' ? 'memory' : name}\``;
}
