/** A time that everybody sees in the zone of their own device. `at`: milliseconds since 1970. */
export function discordTime(at: number): string {
  return `<t:${Math.floor(at / 1_000)}:f>`;
}
