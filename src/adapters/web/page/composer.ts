/** Where one writes: the text, what was dropped beside it, Send and Stop. */
import type { FileText } from '../wire.ts';
import { button, element } from './element.ts';

export interface ComposerActions {
  /** True: it was taken, and the field is emptied. */
  readonly send: (text: string, files: readonly FileText[]) => Promise<boolean>;
  readonly stop: () => void;
}

/** As the server has it. Unit: characters. */
const maxChars = 100_000;

export class Composer {
  readonly frame: HTMLFormElement;
  private readonly field = element('textarea', {
    rows: '1',
    'aria-label': 'Message',
    placeholder: 'Ask a question …',
    autocomplete: 'off',
  });
  private readonly sendButton = element('button', { type: 'submit', class: 'primary', text: 'Send' });
  private readonly stopButton = button('Stop', { class: 'stop' }, () => this.actions.stop());
  private isSending = false;

  constructor(
    private readonly actions: ComposerActions,
    private readonly say: (line: string) => void,
    readonly files: FilesTray,
  ) {
    this.stopButton.hidden = true;
    const row = element('div', { class: 'row' }, files.button, this.field, this.stopButton, this.sendButton);
    this.frame = element('form', { class: 'composer' }, files.list, row);
    this.frame.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.send();
    });
    this.field.addEventListener('keydown', (event) => {
      // Enter ends a word in languages that are written with an input method.
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      void this.send();
    });
    this.field.addEventListener('input', () => this.grow());
  }

  /** A turn is under way, which can be stopped. */
  set isBusy(isBusy: boolean) {
    this.stopButton.hidden = !isBusy;
  }

  focus(): void {
    this.field.focus();
  }

  private async send(): Promise<void> {
    const text = this.field.value;
    if (this.isSending || (text.trim() === '' && this.files.isEmpty)) return;
    if (text.length > maxChars)
      return this.say(
        `This message has ${text.length.toLocaleString('en')} characters; ${maxChars.toLocaleString('en')} fit. Drop it as a file, or send less of it.`,
      );
    if (this.files.isReading) return this.say('A file is still being read.');
    this.isSending = true;
    this.sendButton.disabled = true;
    const isTaken = await this.actions.send(text, this.files.texts);
    this.isSending = false;
    this.sendButton.disabled = false;
    if (!isTaken) return;
    // What was typed meanwhile stays.
    if (this.field.value === text) this.field.value = '';
    this.files.clear();
    this.grow();
  }

  /** As tall as its text, up to what the style allows. */
  private grow(): void {
    this.field.style.height = 'auto';
    this.field.style.height = `${Math.min(this.field.scrollHeight + 2, 240)}px`;
  }
}

/** What the composer needs of the files beside it. */
export interface FilesTray {
  readonly list: HTMLElement;
  readonly button: HTMLElement;
  readonly texts: readonly FileText[];
  readonly isEmpty: boolean;
  readonly isReading: boolean;
  clear(): void;
}
