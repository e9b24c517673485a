/** The bot's own words: what a table has to say in each language. */
import type { Notice } from '../domain/turn.ts';

export interface Words {
  readonly working: string;
  readonly restInFile: string;
  readonly stopped: string;
  /** In place of an answer. */
  readonly stoppedEarly: string;
  readonly interrupted: string;
  readonly blocked: string;
  readonly notAnswered: string;
  /** A day after a question was asked. */
  readonly stillOpen: string;
  readonly closed: string;
  /** Of one question on an answered card. */
  readonly skipped: string;
  readonly failed: string;
  readonly tryAgain: string;
  readonly onlyAsker: (name: string) => string;
  readonly chooseOption: string;
  readonly tooMany: (freeAt: string) => string;
  readonly unreadable: string;
  readonly givenUp: string;
  /** An answer that cannot be given anew. */
  readonly notAgain: string;
  readonly trace: TraceWords;
}

/** What the bot does while it thinks: what it is at now, and a row for each thing that it did. */
export interface TraceWords {
  readonly reading: string;
  readonly thinking: string;
  readonly writing: string;
  /** With tools that are not known yet. */
  readonly working: string;
  readonly minute: string;
  readonly second: string;
  readonly decimalPoint: string;
  /** What is left of a trace. `tools`: how many were used. */
  readonly thoughtFor: (time: string, tools: number) => string;
  readonly notices: Readonly<Record<Notice, string>>;
  /** Messages that people wrote meanwhile. */
  readonly tookIn: (count: number) => string;
  /** In place of a trace without any row. */
  readonly nothing: string;
  readonly tools: ToolVerbs;
  readonly using: (tool: string) => string;
}

/** What a call of a tool does, where its name does not say it. */
export type ToolVerbs = Readonly<Record<KnownTool, string>>;

export type KnownTool =
  | 'ask_user'
  | 'cron'
  | 'write_memory'
  | 'read_memory'
  | 'web_fetch'
  | 'github'
  | 'rag'
  | 'kb_files'
  | 'read_source'
  | 'list_notebook'
  | 'write_note'
  | 'read_skill'
  | 'load_tools'
  | 'code_execution'
  | 'exec';
