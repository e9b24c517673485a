/** What is told to the person at this page alone: it stands above the box until it is closed, and is kept nowhere. */
import { button, element } from './element.ts';

export class ToldView {
  readonly frame = element('section', { class: 'told', 'aria-label': 'Only for you' });

  constructor() {
    this.frame.hidden = true;
  }

  /** In place of what was told before. `onClose`: where the person goes on. */
  show(text: string, onClose: () => void): void {
    const words = element('p', { role: 'status', text });
    const close = button('Close', { class: 'quiet' }, () => {
      this.frame.hidden = true;
      onClose();
    });
    this.frame.replaceChildren(words, close);
    this.frame.hidden = false;
  }
}
