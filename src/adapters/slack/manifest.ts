/** The app as Slack is told of it, with the reason for each thing it may do. */
import { slashCommand } from './read-command.ts';
import { neededScopes } from './scopes.ts';

/** What it hears of, and why. */
export const events = [
  ['agent_session_stopped', 'the Stop of Slack itself'],
  ['app_home_opened', 'the page of the bot is fresh whenever it is opened'],
  ['app_mention', 'a question'],
  ['app_uninstalled', 'a workspace took it away: its token is forgotten'],
  ['message.channels', 'what follows in a thread, and changes of what was asked'],
  ['message.groups', 'the same in private channels'],
  ['message.im', 'a question to the bot alone'],
  ['message.mpim', 'the same among several people'],
  ['reaction_added', 'a vote'],
  ['tokens_revoked', 'the same as app_uninstalled'],
] as const;

/** In the menu of a message. */
const explainShortcut = 'explain';

/** Where Docent listens over HTTP, below its address. */
const paths = { events: '/slack/events', installed: '/slack/oauth_redirect' } as const;

/** Lines of YAML. `url`: where Docent can be reached over HTTPS; without one it listens over Socket Mode. */
export function slackManifest(url: string | undefined): string {
  const base = url?.replace(/\/+$/, '');
  const at = (path: string) => JSON.stringify(`${base}${path}`);
  const http = (...lines: readonly string[]) => (base === undefined ? [] : lines);
  return [
    'display_information:',
    '  name: Docent',
    '  description: A tutor that answers live, asks back, and remembers',
    '  background_color: "#1f3a5f"',
    'features:',
    '  agent_view:',
    '    agent_description: Answers questions about what you learn, asks back when it must, and reminds you.',
    '    suggested_prompts:',
    '      - title: Explain something',
    '        message: Explain the chain rule with one example.',
    '      - title: Quiz me',
    '        message: Ask me three questions about what I learned last.',
    '      - title: Remind me',
    '        message: Remind me tomorrow at 9 to go on.',
    '  app_home:',
    '    home_tab_enabled: true',
    '    messages_tab_enabled: true',
    '    messages_tab_read_only_enabled: false',
    '  bot_user:',
    '    display_name: Docent',
    '    always_online: true',
    '  slash_commands:',
    `    - command: ${slashCommand}`,
    '      description: Ask, stop, remind, and more',
    '      usage_hint: "[ask | next | stop | new | remind | reminders | memory | settings | link | help]"',
    '      should_escape: true',
    ...http(`      url: ${at(paths.events)}`),
    '  shortcuts:',
    '    - name: Explain this',
    '      type: message',
    `      callback_id: ${explainShortcut}`,
    '      description: Explains a message, for you alone or in its thread',
    'oauth_config:',
    ...http('  redirect_urls:', `    - ${at(paths.installed)}`),
    '  scopes:',
    '    bot:',
    ...neededScopes.map(({ scope, why }) => `      - ${scope} # ${why}`),
    'settings:',
    '  event_subscriptions:',
    ...http(`    request_url: ${at(paths.events)}`),
    '    bot_events:',
    ...events.map(([name, why]) => `      - ${name} # ${why}`),
    '  interactivity:',
    '    is_enabled: true',
    ...http(`    request_url: ${at(paths.events)}`),
    '  org_deploy_enabled: false',
    `  socket_mode_enabled: ${base === undefined}`,
    '  token_rotation_enabled: false',
    '',
  ].join('\n');
}
