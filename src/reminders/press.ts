/** What a button about a reminder sends back: what is wanted, of which reminder. At most 90 characters. */
import type { Press } from '../domain/controls.ts';
import { UserId } from '../domain/ids.ts';

/**
 * `form` opens the form that ends in `change`. `snooze`: `extra` is minutes or `tomorrow`, and when it was due. `zone`:
 * `extra` is the zone of the person. `move` and `keep`: whether all that go by the clock of `extra` follow the person.
 */
const actions = [
  'form',
  'change',
  'cancel',
  'done',
  'snooze',
  'stop',
  'pause',
  'resume',
  'show',
  'run',
  'zone',
  'move',
  'keep',
] as const;
export type ReminderAction = (typeof actions)[number];

export interface ReminderPress {
  readonly action: ReminderAction;
  readonly owner: UserId;
  /** Empty where it is about all of them. */
  readonly id: string;
  readonly extra: string;
}

const prefix = 'reminder';

export function pressOf(
  action: ReminderAction,
  { owner, id }: Pick<ReminderPress, 'owner' | 'id'>,
  extra = '',
): Press {
  return [prefix, action, owner, id, extra].join('|');
}

/** Undefined when it is about something else, or of another version. */
export function readPress(press: Press): ReminderPress | undefined {
  const [name, given, owner = '', id = '', extra = '', ...more] = press.split('|');
  const action = actions.find((each) => each === given);
  if (name !== prefix || action === undefined || owner === '' || more.length > 0) return undefined;
  return { action, owner: UserId(owner), id, extra };
}
