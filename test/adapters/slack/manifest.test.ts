// What Slack is told of the app: valid YAML within Slack's limits, over sockets and over HTTP.
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { events, slackManifest } from '../../../src/adapters/slack/manifest.ts';
import { neededScopes } from '../../../src/adapters/slack/scopes.ts';

interface Manifest {
  readonly display_information: { readonly name: string; readonly description: string };
  readonly features: {
    readonly agent_view: {
      readonly agent_description: string;
      readonly suggested_prompts: readonly { readonly title: string; readonly message: string }[];
    };
    readonly slash_commands: readonly { readonly command: string; readonly url?: string }[];
    readonly shortcuts: readonly { readonly callback_id: string }[];
  };
  readonly oauth_config: {
    readonly redirect_urls?: readonly string[];
    readonly scopes: { readonly bot: readonly string[] };
  };
  readonly settings: {
    readonly event_subscriptions: { readonly request_url?: string; readonly bot_events: readonly string[] };
    readonly interactivity: { readonly is_enabled: boolean; readonly request_url?: string };
    readonly socket_mode_enabled: boolean;
  };
}

test('over Socket Mode it names no address', () => {
  const manifest = parse(slackManifest(undefined)) as Manifest;
  expect(manifest.settings.socket_mode_enabled).toBe(true);
  expect(slackManifest(undefined)).not.toMatch(/url/);
  expect(manifest.oauth_config.scopes.bot).toEqual(neededScopes.map(({ scope }) => scope));
  expect(manifest.settings.event_subscriptions.bot_events).toEqual(events.map(([name]) => name));
});

test('over HTTP everything goes to where Docent listens', () => {
  const manifest = parse(slackManifest('https://docent.example.org/')) as Manifest;
  const all = 'https://docent.example.org/slack/events';
  expect(manifest.settings).toMatchObject({
    socket_mode_enabled: false,
    event_subscriptions: { request_url: all },
    interactivity: { request_url: all },
  });
  expect(manifest.features.slash_commands[0]?.url).toBe(all);
  expect(manifest.oauth_config.redirect_urls).toEqual(['https://docent.example.org/slack/oauth_redirect']);
});

test('it stays within the limits of Slack', () => {
  const { display_information: about, features } = parse(slackManifest(undefined)) as Manifest;
  expect(about.name.length).toBeLessThanOrEqual(35);
  expect(about.description.length).toBeLessThanOrEqual(140);
  expect(features.agent_view.agent_description.length).toBeLessThanOrEqual(300);
  expect(features.agent_view.suggested_prompts.length).toBeLessThanOrEqual(4);
  expect(features.slash_commands.map(({ command }) => command.length <= 32)).toEqual([true]);
});

test('each event that people write has the scope it needs', () => {
  const names = neededScopes.map(({ scope }) => scope as string);
  const kinds = events.flatMap(([event]) => /^message\.(\w+)$/.exec(event)?.[1] ?? []);
  expect(names).toEqual(expect.arrayContaining(kinds.map((kind) => `${kind}:history`)));
  expect(names).toEqual([...new Set(names)].toSorted());
});
