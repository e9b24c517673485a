/** What a route is given, and how a table of routes is written. */

import type { Discord } from '../discord.ts';
import type { BucketRule } from '../rules.ts';
import type { World } from '../world/world.ts';
import type { Json } from './check-components.ts';
import type { UploadedFiles } from './check-message.ts';

export interface RestCall {
  readonly discord: Discord;
  readonly world: World;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Json;
  readonly files: UploadedFiles;
}

/** Throws a `Refusal` for what Discord refuses. */
export type Handle = (call: RestCall) => { readonly status: number; readonly body?: unknown };

export interface RouteOptions {
  readonly bucket?: BucketRule;
  /** Interactions are called with their own token and are outside the global limit. */
  readonly isInteraction?: boolean;
}

/** `'POST /channels/:channel/messages'`, with who answers it. */
export type RouteTable = Readonly<Record<string, readonly [string, Handle, RouteOptions?]>>;
