/** What a message of Slack says to the bot: by whom, where, in which conversation, in which language. */
import type { MessageRef } from '../../domain/address.ts';
import { SurfaceGoneError, UnreadableJournalError } from '../../domain/errors.ts';
import type { ConversationId } from '../../domain/ids.ts';
import type { JournalRecord } from '../../domain/journal.ts';
import { Recent } from '../../gateway/recent.ts';
import type { Heard } from '../../gateway/said.ts';
import type { MessageOwner } from '../../ports/conversations.ts';
import type { Clock, Logger } from '../../ports/runtime.ts';
import { isRefused } from './failures.ts';
import { type HeardMessage, heard, isOwn, isReply } from './normalize.ts';
import { saidMessage } from './payloads.ts';
import type { Profile, SlackPeople } from './people.ts';
import { placeName, surfaceName } from './place.ts';
import { mentionedIn } from './said-text.ts';
import type { WebFor } from './web.ts';

export interface ReaderMeans {
  readonly webFor: WebFor;
  readonly people: SlackPeople;
  readonly followAllThreads: boolean;
  readonly ownerOf: (message: MessageRef) => Promise<MessageOwner | undefined>;
  readonly journalOf: (conversation: ConversationId) => Promise<readonly JournalRecord[]>;
  readonly groupsOf: (team: string, person: string) => Promise<readonly string[] | undefined>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Slack waits for an acknowledgement: a name that takes longer is left out. Unit: milliseconds. */
const profileLimitMs = 250;
/** Threads below a message of the bot, and whose they are. */
const rememberedThreads = 10_000;

export class Reader {
  private readonly owners = new Recent<ConversationId>(rememberedThreads);

  constructor(private readonly means: ReaderMeans) {}

  /** Undefined: the bot wrote it itself, or nothing in it is for the bot. Rejects when it is not known who the bot is. */
  async read(message: HeardMessage): Promise<Heard | undefined> {
    const { people, followAllThreads, groupsOf } = this.means;
    const { team } = message;
    const bot = await people.identityOf(team).catch((error: unknown) => {
      if (error instanceof SurfaceGoneError) return undefined;
      throw error;
    });
    // The app was just taken out of the workspace.
    if (bot === undefined || isOwn(message, bot)) return undefined;
    // Most of what is said is not for the bot, and costs no call.
    const unnamed = { bot, followAllThreads, nameOf: () => undefined, locale: undefined };
    if (heard(message, unnamed) === undefined) return undefined;
    const author = message.user ?? undefined;
    const others = mentionedIn(message.text ?? '').filter((each) => each !== bot.user);
    const named = [...new Set([...(author === undefined ? [] : [author]), ...others])];
    const profiles = new Map<string, Profile | undefined>();
    const look = async (id: string) => void profiles.set(id, await this.inTime(people.profileOf(team, id)));
    const [groups, isManager] = await Promise.all([
      author === undefined ? undefined : this.inTime(groupsOf(team, author)),
      author === undefined ? undefined : this.inTime(people.isManager(team, message.channel, author)),
      ...named.map(look),
    ]);
    const said = heard(message, {
      bot,
      followAllThreads,
      nameOf: (id) => profiles.get(id)?.name,
      locale: author === undefined ? undefined : profiles.get(author)?.locale,
      isManager,
      ...(groups !== undefined && { groups }),
    });
    if (said === undefined) return undefined;
    const conversation = await this.ownedBy(message, bot.user);
    return conversation === undefined ? said : { ...said, conversation, wanted: 'always' };
  }

  /** A thread below an answer that stands in the channel itself belongs to the conversation of that answer. */
  private async ownedBy(message: HeardMessage, bot: string): Promise<ConversationId | undefined> {
    const { team, channel, thread_ts: root } = message;
    if (!isReply(message) || !root || message.parent_user_id !== bot) return undefined;
    const key = placeName({ team, channel, thread: root });
    const known = this.owners.get(key);
    if (known !== undefined) return known;
    const place = placeName({ team, channel });
    const owner = await this.means.ownerOf({ surface: surfaceName, place, id: root });
    if (owner !== undefined) this.owners.set(key, owner.conversation);
    return owner?.conversation;
  }

  private async inTime<Result>(asked: Promise<Result>): Promise<Result | undefined> {
    return Promise.race([asked, this.means.clock.sleep(profileLimitMs).then(() => undefined)]);
  }

  async journalOf(conversation: ConversationId): Promise<readonly JournalRecord[]> {
    try {
      return await this.means.journalOf(conversation);
    } catch (error) {
      if (!(error instanceof UnreadableJournalError)) throw error;
      return []; // whoever takes the next message says so
    }
  }

  /** A message as it reads now, as if it had just been written; undefined when it is gone. */
  async reread(
    { team, channel, thread }: { readonly team: string; readonly channel: string; readonly thread?: string },
    ts: string,
  ): Promise<Heard | undefined> {
    const web = await this.means.webFor(team);
    const at = { channel, oldest: ts, latest: ts, inclusive: true, limit: 1 };
    try {
      const reply =
        thread === undefined || thread === ts
          ? await web('conversations.history', at)
          : await web('conversations.replies', { ...at, ts: thread });
      const listed: unknown = reply['messages'];
      const found = (Array.isArray(listed) ? listed : [])
        .flatMap((each) => saidMessage.safeParse(each).data ?? [])
        .find((each) => each.ts === ts);
      return found && (await this.read({ ...found, team, channel }));
    } catch (error) {
      if (!isRefused(error)) throw error;
      return undefined;
    }
  }
}
