/** The messages of a conversation in their order, and the end of it in sight. */
import { element } from './element.ts';
import type { Shown } from './follow.ts';
import { type MessageActions, type MessageView, messageView } from './message-view.ts';

/** Nearer to the end than this, somebody is reading along. Unit: pixels. */
const nearPx = 80;

export class ThreadView {
  readonly frame = element('div', { class: 'thread' });
  private views = new Map<string, MessageView>();

  /** `scroller` is what moves when the thread is longer than the page. */
  constructor(
    private readonly scroller: HTMLElement,
    private readonly me: string,
    private readonly actions: MessageActions,
  ) {
    const sizes = new ResizeObserver(() => this.keepEnd());
    sizes.observe(this.frame);
    scroller.addEventListener('scroll', this.look, { passive: true });
    this.close = () => {
      sizes.disconnect();
      scroller.removeEventListener('scroll', this.look);
    };
  }

  /** To be called when another thread takes the place. */
  readonly close: () => void;
  private isAtEnd = true;
  private lastTop = 0;

  show({ messages, changed, isBusy }: Shown): void {
    for (const [id, { article }] of this.views) {
      if (messages.has(id)) continue;
      article.remove();
      this.views.delete(id);
    }
    for (const id of changed) {
      const message = messages.get(id);
      if (message === undefined) continue;
      const view = this.views.get(id) ?? messageView(message, this.me, this.actions);
      if (!this.views.has(id)) {
        this.views.set(id, view);
        this.frame.append(view.article);
      }
      view.show(message);
    }
    // Only what came of the newest turn can be asked for anew, and only when no other one is under way.
    const ofTurns = [...messages.values()].filter(({ kind }) => kind !== 'user' && kind !== 'notice');
    const newest = isBusy ? undefined : ofTurns.at(-1)?.id;
    for (const [id, { article }] of this.views) article.toggleAttribute('data-newest', id === newest);
    this.keepEnd();
  }

  /** The end comes in sight and stays there. */
  goToEnd(): void {
    this.isAtEnd = true;
    this.keepEnd();
  }

  private keepEnd(): void {
    if (!this.isAtEnd) return;
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.lastTop = this.scroller.scrollTop;
  }

  /** Only a person moves it up; the end may have moved down since it was last in sight, while the text was built. */
  private readonly look = (): void => {
    const { scrollTop } = this.scroller;
    if (this.measureEnd()) this.isAtEnd = true;
    else if (scrollTop < this.lastTop) this.isAtEnd = false;
    this.lastTop = scrollTop;
  };

  private measureEnd(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    return scrollHeight - scrollTop - clientHeight < nearPx;
  }
}
