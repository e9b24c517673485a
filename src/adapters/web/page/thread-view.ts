/** The messages of a conversation in their order, and the end of it in sight. */
import { element } from './element.ts';
import type { ShownMessage } from './follow.ts';
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
    new ResizeObserver(() => this.keepEnd()).observe(this.frame);
    scroller.addEventListener('scroll', () => (this.isAtEnd = this.measureEnd()), { passive: true });
  }

  private isAtEnd = true;

  show(messages: ReadonlyMap<string, ShownMessage>, changed: readonly string[]): void {
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
        // Who writes wants to see what follows.
        if (message.kind === 'user' && message.author === this.me) this.isAtEnd = true;
      }
      view.show(message);
    }
    // Only the newest answer can be asked for anew.
    const last = [...this.views.values()].at(-1)?.article;
    for (const { article } of this.views.values()) article.toggleAttribute('data-newest', article === last);
    this.keepEnd();
  }

  private keepEnd(): void {
    if (this.isAtEnd) this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  private measureEnd(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    return scrollHeight - scrollTop - clientHeight < nearPx;
  }
}
