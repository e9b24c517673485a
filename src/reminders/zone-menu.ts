/** The menu that asks for a time zone: one well-known city for each clock of the world, with what it shows now. */
import type { ControlMenu } from '../domain/controls.ts';
import type { Reminder } from '../domain/reminder.ts';
import { clockTime, offsetMs } from '../time/zone.ts';
import { pressOf } from './press.ts';
import type { ReminderWords } from './words.ts';

/** 25, as many as a menu takes: where most people live. */
const zones = [
  'Pacific/Honolulu',
  'America/Anchorage',
  'America/Los_Angeles',
  'America/Denver',
  'America/Chicago',
  'America/Mexico_City',
  'America/New_York',
  'America/Sao_Paulo',
  'UTC',
  'Europe/London',
  'Africa/Lagos',
  'Europe/Berlin',
  'Europe/Paris',
  'Africa/Cairo',
  'Europe/Istanbul',
  'Africa/Nairobi',
  'Asia/Dubai',
  'Asia/Karachi',
  'Asia/Kolkata',
  'Asia/Bangkok',
  'Asia/Shanghai',
  'Asia/Tokyo',
  'Asia/Seoul',
  'Australia/Sydney',
  'Pacific/Auckland',
] as const;

export function zoneMenu(reminder: Reminder, words: ReminderWords, now: number): ControlMenu {
  const inOrder = zones.toSorted((a, b) => offsetMs(now, a) - offsetMs(now, b));
  return {
    placeholder: words.zoneMenu,
    options: inOrder.map((zone) => ({
      label: `${cityOf(zone)} · ${clockTime(now, zone)}`,
      press: pressOf('zone', reminder, zone),
    })),
  };
}

function cityOf(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}
