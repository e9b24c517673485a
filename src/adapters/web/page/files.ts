/** Files that are dropped on the page or picked: read here or, where it takes more than that, by the server. */
import type { FileText } from '../wire.ts';
import type { FilesTray } from './composer.ts';
import { button, element } from './element.ts';

export class DroppedFiles implements FilesTray {
  readonly list = element('ul', { class: 'tray', 'aria-label': 'Files' });
  readonly button: HTMLElement;
  private entries: { readonly file: FileText }[] = [];

  constructor(private readonly say: (line: string) => void) {
    this.button = button('Add file', { class: 'quiet', 'aria-label': 'Add a file' }, () => {});
  }

  acceptDropsOn(_target: HTMLElement): void {}

  get texts(): readonly FileText[] {
    return this.entries.map(({ file }) => file);
  }

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  get isReading(): boolean {
    return false;
  }

  clear(): void {
    this.entries = [];
    this.list.replaceChildren();
    this.say('');
  }
}
