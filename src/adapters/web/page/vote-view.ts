/** What one thinks of an answer: two buttons of which one may be pressed, and for a no a line to say why. */
import type { Vote } from './api.ts';
import { button, element } from './element.ts';

export interface VoteView {
  readonly frame: HTMLElement;
  show(vote: Vote | undefined): void;
}

/** `cast` resolves with whether it counts. */
export function voteView(cast: (vote: Vote | null, reason?: string) => Promise<boolean>): VoteView {
  let given: Vote | undefined;
  const press = (vote: Vote) => () => {
    const wanted = given === vote ? undefined : vote;
    void cast(wanted ?? null).then((counts) => {
      if (!counts) return;
      show(wanted);
      why.hidden = wanted !== 'down';
      if (wanted === 'down') words.focus();
    });
  };
  const up = button(
    '',
    { class: 'quiet', 'aria-label': 'Good answer', 'aria-pressed': 'false' },
    press('up'),
  );
  up.append(thumb('up'));
  const down = button(
    '',
    { class: 'quiet', 'aria-label': 'Bad answer', 'aria-pressed': 'false' },
    press('down'),
  );
  down.append(thumb('down'));
  const words = element('input', {
    type: 'text',
    maxlength: '1000',
    'aria-label': 'What was wrong?',
    placeholder: 'What was wrong? (if you like)',
  });
  const why = element('form', { class: 'why' }, words, element('button', { type: 'submit', text: 'Tell' }));
  why.hidden = true;
  why.addEventListener('submit', (event) => {
    event.preventDefault();
    const reason = words.value.trim();
    if (reason === '') why.hidden = true;
    else void cast('down', reason).then((counts) => (why.hidden = counts));
  });
  return { frame: element('span', { class: 'votes' }, up, down, why), show };

  function show(vote: Vote | undefined): void {
    given = vote;
    up.setAttribute('aria-pressed', String(vote === 'up'));
    down.setAttribute('aria-pressed', String(vote === 'down'));
  }
}

/** Drawn, since many machines have no font with 👍 and 👎 in it. */
function thumb(way: Vote): SVGElement {
  const svg = 'http://www.w3.org/2000/svg';
  const icon = document.createElementNS(svg, 'svg');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('class', `thumb ${way}`);
  icon.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(svg, 'path');
  line.setAttribute(
    'd',
    'M8 10.5V20H5a1 1 0 0 1-1-1v-7.5a1 1 0 0 1 1-1zm0 0L12 3.5a2 2 0 0 1 2 2.2V9.5h4.6a2 2 0 0 1 2 2.3l-1 6.5a2 2 0 0 1-2 1.7H8',
  );
  icon.append(line);
  return icon;
}
