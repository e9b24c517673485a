/** Reactions of the bot. */
import { tellReaction } from '../events/tell.ts';
import { rules } from '../rules.ts';
import { messagePayload } from '../world/payloads.ts';
import { messageIn, ownChannel } from './find.ts';
import { type Methods, textOf } from './method.ts';
import { refusal } from './refusal.ts';

const takes = ['channel', 'timestamp', 'name'];

export const reactionMethods: Methods = {
  'reactions.add': {
    token: 'bot',
    scope: 'reactions:write',
    rate: 'tier_3',
    needs: takes,
    takes,
    handle(call) {
      const { slack, team, args } = call;
      const message = messageIn(call, ownChannel(call), 'timestamp');
      const name = textOf(args['name']);
      if (!/^[a-z0-9_+'-]+(?:::skin-tone-[2-6])?$/.test(name)) throw refusal('invalid_name', name);
      const users = message.reactions.get(name) ?? new Set<string>();
      if (users.has(team.botUserId)) throw refusal('already_reacted', name);
      const own = [...message.reactions.values()].filter((each) => each.has(team.botUserId)).length;
      if (own >= rules.too_many_reactions.max) throw refusal('too_many_reactions');
      message.reactions.set(name, users.add(team.botUserId));
      tellReaction(slack, 'reaction_added', message, team.botUserId, name);
      return {};
    },
  },
  'reactions.remove': {
    token: 'bot',
    scope: 'reactions:write',
    rate: 'tier_2',
    needs: takes,
    takes,
    handle(call) {
      const { slack, team, args } = call;
      const message = messageIn(call, ownChannel(call), 'timestamp');
      const name = textOf(args['name']);
      if (message.reactions.get(name)?.delete(team.botUserId) !== true) throw refusal('no_reaction', name);
      tellReaction(slack, 'reaction_removed', message, team.botUserId, name);
      return {};
    },
  },
  'reactions.get': {
    token: 'bot',
    scope: 'reactions:read',
    rate: 'tier_3',
    needs: ['channel', 'timestamp'],
    takes: ['channel', 'timestamp', 'full'],
    handle(call) {
      const message = messageIn(call, ownChannel(call), 'timestamp');
      return {
        type: 'message',
        channel: message.channelId,
        message: messagePayload(call.slack.world, call.slack.fileUrl, message),
      };
    },
  },
};
