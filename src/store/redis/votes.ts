/** Votes on answers: a hash for each conversation, a field for each person and answer. */
import { z } from 'zod';
import type { UserId } from '../../domain/ids.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { Vote, Votes } from '../../ports/votes.ts';
import type { RedisClient } from './client.ts';
import { boardKeys } from './keys.ts';

const stored = z.object({ vote: z.enum(['up', 'down']), reason: z.string().exactOptional(), at: z.number() });

export function redisVotes(redis: RedisClient, clock: Clock, retentionS: number): Votes {
  return {
    async cast({ conversation, answer, person, vote, reason }) {
      const { votes } = boardKeys(conversation);
      const field = fieldOf(person, answer);
      const before = voteIn(await redis.hget(votes, field));
      if (vote === undefined) await redis.hdel(votes, field);
      else {
        const ballot = { vote, at: clock.now(), ...(reason === undefined ? {} : { reason }) };
        await redis.multi().hset(votes, field, JSON.stringify(ballot)).expire(votes, retentionS).exec();
      }
      return before !== vote;
    },
    async of(conversation, person) {
      const fields = await redis.hgetall(boardKeys(conversation).votes);
      const own = fieldOf(person, '');
      return new Map(
        Object.entries(fields).flatMap(([field, text]): [string, Vote][] => {
          const vote = voteIn(text);
          return field.startsWith(own) && vote !== undefined ? [[field.slice(own.length), vote]] : [];
        }),
      );
    },
  };
}

/** Ids of people hold no line breaks. */
function fieldOf(person: UserId, answer: string): string {
  return `${person}\n${answer}`;
}

function voteIn(text: string | null): Vote | undefined {
  return text === null ? undefined : stored.safeParse(JSON.parse(text)).data?.vote;
}
