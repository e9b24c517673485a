/** Who pressed, filled in or used something, as far as Slack tells it and can be asked within an acknowledgement's time. */
import { EventId } from '../../domain/ids.ts';
import type { Press } from '../../gateway/press.ts';
import type { Clock } from '../../ports/runtime.ts';
import type { SlackPeople } from './people.ts';
import { placeName, surfaceName, userOf } from './place.ts';

export interface PressingMeans {
  readonly people: SlackPeople;
  readonly groupsOf: (team: string, person: string) => Promise<readonly string[] | undefined>;
  readonly clock: Clock;
}

export interface Doing {
  /** Names what was done for ever. */
  readonly id: string;
  readonly team: string;
  /** Absent where it was done in no channel. */
  readonly channel?: string | undefined;
  readonly thread?: string | undefined;
  readonly user: {
    readonly id: string;
    readonly name?: string | null | undefined;
    readonly username?: string | null | undefined;
    readonly team_id?: string | null | undefined;
  };
  /** `ts` of the message that the button stands in. */
  readonly message?: string | undefined;
}

/** Unit: milliseconds. */
const profileLimitMs = 250;

export async function pressOf(
  { id, team, channel, thread, user, message }: Doing,
  { people, groupsOf, clock }: PressingMeans,
): Promise<Press> {
  const inTime = <Result>(asked: Promise<Result>) =>
    Promise.race([asked, clock.sleep(profileLimitMs).then(() => undefined)]);
  const [profile, groups, isManager] = await Promise.all([
    inTime(people.profileOf(team, user.id)),
    inTime(groupsOf(team, user.id)),
    channel === undefined ? undefined : inTime(people.isManager(team, channel, user.id)),
  ]);
  const isDirect = channel?.startsWith('D') === true;
  const locale = profile?.locale;
  return {
    id: EventId(id),
    author: userOf(user.id),
    name: profile?.name ?? user.name ?? user.username ?? user.id,
    address: {
      surface: surfaceName,
      place: placeName({ team, channel: channel ?? user.id, ...(thread && { thread }) }),
      recipient: `${user.team_id ?? team}:${user.id}`,
      ...(locale !== undefined && { locale }),
    },
    from: {
      isSelf: false,
      isBot: false,
      server: `${surfaceName}:${team}`,
      ...(channel !== undefined && !isDirect && { channel: `${surfaceName}:${channel}` }),
      ...(isManager === true && { isManager: true as const }),
      ...(groups !== undefined && { roles: groups.map((group) => `${surfaceName}:${group}`) }),
    },
    ...(message !== undefined &&
      channel !== undefined && {
        on: { surface: surfaceName, place: placeName({ team, channel }), id: message },
      }),
    isManager: async () => channel !== undefined && people.isManager(team, channel, user.id),
  };
}
