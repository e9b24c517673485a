/** A formula as elements. What cannot be read as one is shown as it was written. */
import katex from 'katex';

/** Formulas that were set already: a growing answer shows the same ones again and again. */
const known = new Map<string, HTMLElement>();
const maxKnown = 500;
/** A longer one is text: setting it would be felt. Unit: characters. */
const maxChars = 2_000;

export function formula(tex: string, isDisplay: boolean): ChildNode {
  const key = `${isDisplay ? 'd' : 'i'}${tex}`;
  const found = known.get(key) ?? set(tex, isDisplay);
  if (known.size >= maxKnown) known.clear();
  known.set(key, found);
  return found.cloneNode(true) as HTMLElement;
}

function set(tex: string, isDisplay: boolean): HTMLElement {
  const frame = document.createElement(isDisplay ? 'div' : 'span');
  frame.className = isDisplay ? 'formula' : 'formula-inline';
  if (isDisplay) frame.tabIndex = 0;
  try {
    if (tex.length > maxChars) throw new RangeError('too long');
    // Nothing in a formula may name a link, a picture or a macro of its own for ever.
    katex.render(tex, frame, {
      displayMode: isDisplay,
      throwOnError: true,
      trust: false,
      strict: false,
      maxSize: 20,
      maxExpand: 200,
    });
  } catch {
    const code = document.createElement('code');
    code.textContent = tex;
    frame.replaceChildren(code);
    frame.classList.add('unset');
  }
  return frame;
}
