/** How a person reads about their reminders: in their language, by their clock. */
import type { SurfaceAddress } from '../domain/address.ts';
import type { UserId } from '../domain/ids.ts';
import type { People } from '../ports/people.ts';
import type { View } from '../reminders/shown.ts';
import { reminderWords } from '../reminders/words.ts';
import { spokenTime } from '../time/zone.ts';

/** `times`: how platforms write an instant that everybody reads by their own clock. */
export async function viewFor(
  { people }: { readonly people: Pick<People, 'preferences'> },
  times: ReadonlyMap<string, (at: number) => string>,
  { owner, address, tz }: { readonly owner: UserId; readonly address: SurfaceAddress; readonly tz: string },
): Promise<View> {
  const preferences = await people.preferences(owner);
  const locale = preferences.language ?? address.locale ?? preferences.locale;
  const ofPlatform = times.get(address.surface);
  return {
    words: reminderWords(locale),
    dialect: {
      time: (at, zone = tz) => ofPlatform?.(at) ?? spokenTime(at, zone, locale),
      // The surface makes it harmless, as all that is said.
      text: (words) => words,
    },
  };
}
