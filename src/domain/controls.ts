/**
 * What can be pressed or chosen below a message of ours, on any platform. A platform draws it, and sends back what was
 * pressed, as it is, with whoever pressed it; what comes of it is decided elsewhere.
 */
import type { SurfaceAddress } from './address.ts';
import type { ConversationId, UserId } from './ids.ts';

export interface Controls {
  /** In one row, at most five. */
  readonly buttons: readonly ControlButton[];
  readonly menu?: ControlMenu;
}

export interface ControlButton {
  readonly label: string;
  readonly press: Press;
  /** A form comes first: its answer is what counts. */
  readonly opensForm?: true;
  /** What to write where there are no buttons. */
  readonly typed?: string;
}

/** One of many, at most 25. */
export interface ControlMenu {
  readonly placeholder: string;
  readonly options: readonly ControlOption[];
}

export interface ControlOption {
  readonly label: string;
  readonly description?: string;
  readonly press: Press;
}

/** At most 90 characters. It is no secret and proves nothing: who may do it is judged when it is pressed. */
export type Press = string;

export interface PressForm {
  readonly title: string;
  /** At most five. */
  readonly fields: readonly FormField[];
  readonly press: Press;
}

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly maxChars: number;
  readonly isLong?: true;
}

/** A text with what can be pressed below it. */
export interface Said {
  readonly text: string;
  readonly controls?: Controls;
}

export interface PressBy {
  readonly person: UserId;
  /** Names this press for ever. */
  readonly key: string;
  readonly conversation: ConversationId;
  readonly address: SurfaceAddress;
  /** Looks after the place: may end there what others began. */
  readonly isManager: boolean;
}

/** `replace`: the message that was pressed says this from now on. `tell`: only who pressed is told. */
export interface PressReply extends Said {
  readonly kind: 'replace' | 'tell';
}

/** Where there is nothing to press: with what can be written in its place. */
export function inWords({ text, controls }: Said): string {
  const typed = (controls?.buttons ?? []).flatMap((button) => button.typed ?? []);
  return typed.length === 0 ? text : `${text}\n${typed.join(' · ')}`;
}
