/** Every REST route of the fake: how it is called, whose bucket it uses, who answers it. */

import type { BucketRule } from '../rules.ts';
import { about } from './about.ts';
import { channels } from './channels.ts';
import { commands } from './commands.ts';
import { interactions } from './interactions.ts';
import { messages } from './messages.ts';
import { reactions } from './reactions.ts';
import type { Handle, RouteOptions } from './rest-call.ts';
import { threads } from './threads.ts';

const tables = { ...messages, ...reactions, ...threads, ...channels, ...interactions, ...commands, ...about };

export type RouteName = keyof typeof tables;

export interface Route {
  readonly name: RouteName;
  readonly method: string;
  readonly pattern: RegExp;
  readonly needsToken: boolean;
  readonly isGloballyLimited: boolean;
  readonly bucket: BucketRule | undefined;
  readonly handle: Handle;
}

const routes: readonly Route[] = Object.entries(tables).map(([name, [line, handle, options = {}]]) => {
  const [method = '', path = ''] = line.split(' ');
  const pattern = new RegExp(`^${path.replaceAll(/:([a-z]+)/g, '(?<$1>[^/]+)')}$`);
  const isInteraction = (options as RouteOptions).isInteraction === true;
  return {
    name: name as RouteName,
    method,
    pattern,
    needsToken: !isInteraction,
    isGloballyLimited: !isInteraction,
    bucket:
      isInteraction && method === 'POST' && path.endsWith('/callback')
        ? undefined
        : ((options as RouteOptions).bucket ?? 'any_other'),
    handle,
  };
});

export type Found =
  | { readonly kind: 'found'; readonly route: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'method' | 'unknown' };

/** `path` is decoded and begins after the version. */
export function findRoute(method: string, path: string): Found {
  const fitting = routes.filter(({ pattern }) => pattern.test(path));
  const route = fitting.find((each) => each.method === method);
  if (route === undefined) return { kind: fitting.length > 0 ? 'method' : 'unknown' };
  return { kind: 'found', route, params: { ...route.pattern.exec(path)?.groups } };
}
