/** What delivery does with an event of the loop: the text it should show grows, and an edit is scheduled if none is. */
import { GrowingText } from '../../src/domain/growing-text.ts';
import type { TurnEvent } from '../../src/domain/turn.ts';

/** Gap between two edits of a message. Unit: milliseconds. */
const editGapMs = 1_000;

export class DesiredText {
  private desired = new GrowingText();
  private due: NodeJS.Timeout | undefined;

  get text(): string {
    return this.desired.toString();
  }

  readonly emit = (event: TurnEvent): void => {
    if (event.type === 'answer.delta') this.desired.append(event.text);
    else if (event.type === 'answer.retracted')
      this.desired = new GrowingText(this.text.slice(0, event.keep));
    else if (event.type === 'turn.ended') return this.stop();
    else return;
    this.due ??= setTimeout(() => {
      this.due = undefined;
    }, editGapMs);
  };

  private stop(): void {
    clearTimeout(this.due);
    this.due = undefined;
  }
}
