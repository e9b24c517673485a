/** The settings of Slack. Its tokens are told apart by how they begin, and often mixed up. */

const mixedUp = 'SLACK_BOT_TOKEN begins with xoxb-, SLACK_APP_TOKEN with xapp-.';

export const slackSettings = [
  {
    name: 'SLACK_BOT_TOKEN',
    unit: '',
    meaning: 'Token of the bot in one workspace of Slack. Unset: Docent is not on Slack.',
    expected: 'a token that begins with xoxb-',
    fix: `Copy it from the page "OAuth & Permissions" of the app on api.slack.com. ${mixedUp}`,
    isSecret: true,
  },
  {
    name: 'SLACK_APP_TOKEN',
    unit: '',
    meaning: 'Token of the app on Slack, to listen over Socket Mode: no address of this machine is needed.',
    expected: 'a token that begins with xapp-',
    fix: `Make one on the page "Basic Information" of the app on api.slack.com, with the scope connections:write. ${mixedUp}`,
    isSecret: true,
  },
  {
    name: 'SLACK_SIGNING_SECRET',
    unit: '',
    meaning:
      'Proves that a request comes from Slack. Without SLACK_APP_TOKEN, Docent listens on PORT at /slack/events.',
    expected: 'the signing secret, 16 or more hexadecimal digits',
    fix: 'Copy it from the page "Basic Information" of the app on api.slack.com.',
    isSecret: true,
  },
  {
    name: 'SLACK_API_URL',
    fallback: 'https://slack.com/api/',
    unit: '',
    meaning: 'Address of the API of Slack.',
    expected: 'an http(s) address',
    fix: 'Leave it out for https://slack.com/api/.',
  },
  {
    name: 'SLACK_CLIENT_ID',
    unit: '',
    meaning:
      'With SLACK_CLIENT_SECRET, other workspaces can add the bot at /slack/install of a gateway. Unset: one workspace.',
    expected: 'two numbers with a dot between them',
    fix: 'Copy it from the page "Basic Information" of the app on api.slack.com.',
  },
  {
    name: 'SLACK_CLIENT_SECRET',
    unit: '',
    meaning: 'Belongs to SLACK_CLIENT_ID.',
    expected: 'the client secret, 16 or more hexadecimal digits',
    fix: 'Copy it from the page "Basic Information" of the app on api.slack.com.',
    isSecret: true,
  },
] as const;

interface Given {
  readonly [name: string]: string | undefined;
}

/** What is missing beside what is set, each with its remedy. */
export function missingForSlack(given: Given): string[] {
  const has = (name: string) => given[name] !== undefined;
  const hasBot = has('SLACK_BOT_TOKEN');
  const hasClient = has('SLACK_CLIENT_ID');
  const listens = has('SLACK_APP_TOKEN') || has('SLACK_SIGNING_SECRET');
  return [
    ...((hasBot || hasClient) && !listens
      ? [
          'SLACK_APP_TOKEN: expected a token that begins with xapp-, got nothing. Set it to listen over Socket Mode, or SLACK_SIGNING_SECRET to listen over HTTP.',
        ]
      : []),
    ...(listens && !hasBot && !hasClient
      ? [
          'SLACK_BOT_TOKEN: expected a token that begins with xoxb-, got nothing. Without it Docent cannot speak on Slack.',
        ]
      : []),
    ...(hasClient !== has('SLACK_CLIENT_SECRET')
      ? [
          hasClient
            ? 'SLACK_CLIENT_SECRET: expected the client secret, got nothing. It belongs to SLACK_CLIENT_ID.'
            : 'SLACK_CLIENT_ID: expected two numbers with a dot between them, got nothing. It belongs to SLACK_CLIENT_SECRET.',
        ]
      : []),
  ];
}

/** Which token was put there, for one that is in the wrong place; undefined when it is none of Slack's. */
export function misplacedToken(raw: string): string | undefined {
  const kind = /^(?:Bearer )?(xoxb|xapp|xoxp|xoxe(?:\.xox[bp])?|xoxa|xoxs)-/.exec(raw)?.[1];
  return kind && kinds[kind.slice(0, 4)] && `"${kind}-…". ${kinds[kind.slice(0, 4)]}`;
}

const kinds: Readonly<Record<string, string>> = {
  xoxb: 'That is the bot token; use it as SLACK_BOT_TOKEN.',
  xapp: 'That is the app-level token; use it as SLACK_APP_TOKEN.',
  xoxp: 'That is the token of a person; the bot token stands on the page "OAuth & Permissions", below "Bot User OAuth Token".',
  xoxe: 'That is a token that expires or renews another one; turn token rotation off, or copy the "Bot User OAuth Token".',
  xoxa: 'That is an old kind of token; copy the "Bot User OAuth Token" from the page "OAuth & Permissions".',
  xoxs: 'That is the token of a browser session; copy the "Bot User OAuth Token" from the page "OAuth & Permissions".',
};
