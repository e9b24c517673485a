/** People in Redis: a hash per account, and a set of the accounts of each person who has several. All on one slot. */
import { randomInt, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { UserId } from '../../domain/ids.ts';
import {
  answerStyles,
  type ChangedChoices,
  linkCodeMs,
  type Preferences,
  type Profile,
} from '../../domain/person.ts';
import type { People } from '../../ports/people.ts';
import { type RedisClient, redisScript } from './client.ts';
import { peopleKeys } from './keys.ts';

/** Shared by all scripts: the keys of accounts and persons that they find on their way. */
const names = `
local accountKey = function(account) return ARGV[2] .. account end
local setKey = function(person) return ARGV[3] .. person end
`;

/** KEYS account · ARGV own account-prefix set-prefix → the accounts of the person */
const accountsScript = `
${names}
local person = redis.call('HGET', KEYS[1], 'person')
return person and redis.call('SMEMBERS', setKey(person)) or { ARGV[1] }
`;

/** An empty value takes the choice back. KEYS account · ARGV own account-prefix set-prefix field value … */
const chooseScript = `
${names}
local person = redis.call('HGET', KEYS[1], 'person')
for _, account in ipairs(person and redis.call('SMEMBERS', setKey(person)) or { ARGV[1] }) do
  for i = 4, #ARGV, 2 do
    if ARGV[i + 1] == '' then redis.call('HDEL', accountKey(account), ARGV[i])
    else redis.call('HSET', accountKey(account), ARGV[i], ARGV[i + 1]) end
  end
end
`;

/** KEYS account code · ARGV own account-prefix set-prefix new-person → unknown, own, or linked and all accounts */
const linkScript = `
${names}
local own, other = ARGV[1], redis.call('GET', KEYS[2])
if not other then return { 'unknown' } end
if other == own then return { 'own' } end
redis.call('DEL', KEYS[2])
local person = redis.call('HGET', accountKey(other), 'person') or ARGV[4]
local before = redis.call('HGET', KEYS[1], 'person')
local joining = before and redis.call('SMEMBERS', setKey(before)) or { own }
joining[#joining + 1] = other
if before and before ~= person then redis.call('DEL', setKey(before)) end
for _, account in ipairs(joining) do
  redis.call('HSET', accountKey(account), 'person', person)
  redis.call('SADD', setKey(person), account)
end
local all = redis.call('SMEMBERS', setKey(person))
for _, field in ipairs({ 'language', 'zone', 'style' }) do
  local value = redis.call('HGET', accountKey(other), field) or redis.call('HGET', KEYS[1], field)
  for _, account in ipairs(value and all or {}) do redis.call('HSET', accountKey(account), field, value) end
end
return { 'linked', unpack(all) }
`;

/** Who is left alone is no group. KEYS account · ARGV own account-prefix set-prefix → 1, or 0 */
const unlinkScript = `
${names}
local person = redis.call('HGET', KEYS[1], 'person')
if not person then return 0 end
redis.call('HDEL', KEYS[1], 'person')
redis.call('SREM', setKey(person), ARGV[1])
local left = redis.call('SMEMBERS', setKey(person))
if #left == 1 then
  redis.call('HDEL', accountKey(left[1]), 'person')
  redis.call('DEL', setKey(person))
end
return 1
`;

/** As stored; a choice that this version does not know counts as none. */
const stored = z.object({
  language: z.string().exactOptional(),
  zone: z.string().exactOptional(),
  style: z.enum(answerStyles).optional().catch(undefined),
  locale: z.string().exactOptional(),
  platformZone: z.string().exactOptional(),
});

export function redisPeople(redis: RedisClient): People {
  const accounts = redisScript(redis, accountsScript);
  const choose = redisScript(redis, chooseScript);
  const link = redisScript(redis, linkScript);
  const unlink = redisScript(redis, unlinkScript);
  const { account: keyOf, code: codeKey, accountPrefix, accountsPrefix } = peopleKeys;
  const argsOf = (own: UserId) => [own, accountPrefix, accountsPrefix];

  return {
    async preferences(account: UserId): Promise<Preferences> {
      const { style, ...others } = stored.parse(await redis.hgetall(keyOf(account)));
      return style === undefined ? others : { ...others, style };
    },

    async choose(account: UserId, change: ChangedChoices): Promise<void> {
      const fields = Object.entries(change).flatMap(([name, value]) => [name, value ?? '']);
      await choose([keyOf(account)], [...argsOf(account), ...fields]);
    },

    async noteProfile(account: UserId, profile: Profile): Promise<void> {
      const told = Object.entries(profile).filter(([, value]) => value !== undefined);
      if (told.length > 0) await redis.hset(keyOf(account), Object.fromEntries(told));
    },

    async mayAskZone(account: UserId): Promise<boolean> {
      return (await redis.hsetnx(keyOf(account), 'zoneAsked', '1')) === 1;
    },

    async accountsOf(account: UserId): Promise<readonly UserId[]> {
      const all = (await accounts([keyOf(account)], argsOf(account))) as string[];
      return [account, ...all.map(UserId).filter((each) => each !== account)];
    },

    async offerLink(account: UserId): Promise<string> {
      for (;;) {
        const code = newCode();
        if ((await redis.set(codeKey(code), account, 'PX', linkCodeMs, 'NX')) === 'OK') return code;
      }
    },

    async link(account: UserId, code: string): Promise<readonly UserId[] | 'unknown' | 'own'> {
      const keys = [keyOf(account), codeKey(tidied(code))];
      const [how, ...all] = (await link(keys, [...argsOf(account), randomUUID()])) as string[];
      if (how === 'unknown' || how === 'own') return how;
      return all.map(UserId).filter((each) => each !== account);
    },

    async unlink(account: UserId): Promise<boolean> {
      return (await unlink([keyOf(account)], argsOf(account))) === 1;
    },
  };
}

/** Nobody takes one for another: no 0 and O, no 1, I and L. */
const letters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
/** 31^8: too many to guess within ten minutes. */
const codeLetters = 8;

function newCode(): string {
  return Array.from({ length: codeLetters }, () => letters[randomInt(letters.length)]).join('');
}

/** As people write it: in small letters, with spaces or hyphens. */
function tidied(code: string): string {
  return code.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');
}
