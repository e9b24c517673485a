/** What was found out about something that has to be set up outside of Docent. */

/** Without a `fix`, what was looked at is in order. */
export interface Finding {
  readonly what: string;
  /** What to do, in one sentence. */
  readonly fix?: string;
}

/** Further off than this, reminders are late or early for people. Unit: milliseconds. */
const maxClockErrorMs = 5_000;

/** `serverTime`: what the platform said, if it did. */
export function checkClock(serverTime: number | undefined, now: number): Finding {
  if (serverTime === undefined) return { what: 'The clock was not compared: the answers bear no date.' };
  const error = now - serverTime;
  if (Math.abs(error) <= maxClockErrorMs) return { what: 'The clock is right.' };
  const seconds = Math.round(Math.abs(error) / 1_000);
  return {
    what: `The clock of this machine is ${seconds} s ${error > 0 ? 'fast' : 'slow'}: reminders come at the wrong time.`,
    fix: 'Turn on the setting of the clock over the network (NTP) in the system.',
  };
}
