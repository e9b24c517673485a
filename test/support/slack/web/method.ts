/** What a Web API method of the fake is made of. */
import type { RateRule } from '../rules.ts';
import type { Slack } from '../slack.ts';
import type { Json, Team } from '../world/world.ts';

export interface Call {
  readonly slack: Slack;
  /** The workspace of the token; of the first one where a method has none. */
  readonly team: Team;
  readonly args: Json;
}

export interface Method {
  /** The kind of token that it takes. `none`: it brings its own proof. */
  readonly token: 'bot' | 'app' | 'none';
  readonly scope?: string | ((call: Call) => string);
  readonly rate: RateRule | 'posts';
  readonly needs: readonly string[];
  readonly takes: readonly string[];
  /** Returns what the answer has besides `ok`. */
  handle(call: Call): Json;
}

export type Methods = Readonly<Record<string, Method>>;

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const isTrue = (value: unknown): boolean => value === true || value === 'true' || value === '1';
