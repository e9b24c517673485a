/** Who a token is, the way into Socket Mode, and the installation in a workspace. */
import { type Methods, textOf } from './method.ts';
import { refusal } from './refusal.ts';

export const authMethods: Methods = {
  'auth.test': {
    token: 'bot',
    rate: 'special',
    needs: [],
    takes: [],
    handle: ({ team }) => ({
      url: `https://${team.name.toLowerCase().replaceAll(' ', '-')}.slack.com/`,
      team: team.name,
      user: 'docent',
      team_id: team.id,
      user_id: team.botUserId,
      bot_id: team.botId,
      is_enterprise_install: false,
    }),
  },
  'apps.connections.open': {
    token: 'app',
    rate: 'tier_3',
    needs: [],
    takes: [],
    handle: ({ slack }) => ({ url: slack.sockets.newTicket() }),
  },
  'oauth.v2.access': {
    token: 'none',
    rate: 'tier_4',
    needs: ['code'],
    takes: ['code', 'client_id', 'client_secret', 'redirect_uri', 'grant_type', 'refresh_token'],
    handle({ slack, args }) {
      const { world, codes } = slack;
      if (args['client_id'] !== world.clientId) throw refusal('invalid_client_id');
      if (args['client_secret'] !== world.clientSecret) throw refusal('bad_client_secret');
      const code = codes.get(textOf(args['code']));
      if (code === undefined) throw refusal('invalid_code', textOf(args['code']));
      if (code.isUsed) throw refusal('code_already_used');
      code.isUsed = true;
      const team = world.teamOf(code.teamId);
      Object.assign(team, { scopes: code.scopes, isInstalled: true });
      return {
        app_id: world.appId,
        authed_user: { id: code.userId },
        scope: team.scopes.join(','),
        token_type: 'bot',
        access_token: team.botToken,
        bot_user_id: team.botUserId,
        team: { id: team.id, name: team.name },
        enterprise: null,
        is_enterprise_install: false,
      };
    },
  },
};
