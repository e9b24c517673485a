/** What is said about reminders, one table per language. */
import { languageOf } from '../domain/language.ts';
import { german } from './words-de.ts';
import { english } from './words-en.ts';
import { chinese } from './words-zh.ts';

export interface ReminderWords {
  readonly set: (time: string, zone: string) => string;
  /** Of one that repeats: the times after the first. */
  readonly following: (times: readonly string[]) => string;
  readonly buttons: Readonly<Record<ReminderButton, string>>;
  readonly cancelled: string;
  readonly stopped: string;
  readonly paused: string;
  readonly snoozed: (time: string) => string;
  /** Behind what is said late. */
  readonly due: (time: string) => string;
  /** Before what was due more than a day ago. */
  readonly missed: (time: string) => string;
  /** A task is not begun so late. */
  readonly missedTask: (time: string, task: string) => string;
  readonly placeGone: (task: string) => string;
  readonly gone: string;
  readonly notYours: string;
  readonly tryAgain: string;
  readonly full: (most: number) => string;
  readonly nothing: string;
  readonly tooLong: (most: number) => string;
  readonly noTime: (text: string) => string;
  readonly passed: (time: string) => string;
  readonly passedMeanwhile: string;
  readonly tooOften: string;
  readonly badCron: (why: string) => string;
  /** `instead`: what comes near, each with the times it would come at. */
  readonly cannot: (instead: readonly string[]) => string;
  readonly askZone: string;
  readonly zoneMenu: string;
  readonly listMenu: string;
  readonly form: Readonly<Record<'title' | 'when' | 'what', string>>;
  readonly askMove: (count: number, from: string, to: string) => string;
  readonly moved: (count: number, to: string) => string;
  /** Their time has passed in the new zone. */
  readonly notMoved: (count: number) => string;
  readonly kept: string;
}

export type ReminderButton =
  | 'change'
  | 'cancel'
  | 'done'
  | 'snooze10'
  | 'snooze60'
  | 'tomorrow'
  | 'stop'
  | 'pause'
  | 'resume'
  | 'doNow'
  | 'move'
  | 'keep';

/** `locale` is BCP 47; unknown languages get English. */
export function reminderWords(locale: string | undefined): ReminderWords {
  return { en: english, de: german, zh: chinese }[languageOf(locale)];
}
