/** The paths that begin with it are Slack's. */
export const slackPath = '/slack/';
