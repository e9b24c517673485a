/** Why a time cannot be kept, in words for people. */
import { cutText } from '../domain/cut-text.ts';
import type { Schedule } from '../domain/reminder.ts';
import type { ReadSchedule } from '../time/read-schedule.ts';
import { nextTime } from '../time/schedule.ts';
import type { View } from './shown.ts';

const maxShownChars = 60;

export function problemWith(
  read: Exclude<ReadSchedule, { readonly kind: 'read' }>,
  { written, tz, now }: { readonly written: string; readonly tz: string; readonly now: number },
  { words, dialect }: View,
): string {
  switch (read.kind) {
    case 'none':
      return words.noTime(dialect.text(cutText(written, maxShownChars)));
    case 'passed':
      return words.passed(dialect.time(read.at, tz));
    case 'too_often':
      return words.tooOften;
    case 'bad_cron':
      return words.badCron(dialect.text(read.why));
    case 'cannot':
      return words.cannot(read.instead.map((near) => `- \`${near.expr}\`: ${timesOf(near).join(', ')} …`));
  }

  /** What a rule means is best told by its next times. */
  function timesOf(near: Schedule): string[] {
    const first = nextTime(near, now);
    const second = first === undefined ? undefined : nextTime(near, first);
    return [first, second].flatMap((at) => (at === undefined ? [] : [dialect.time(at, tz)]));
  }
}
