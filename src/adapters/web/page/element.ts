/** Elements without markup: text stays text, whatever is in it. */

interface Attributes {
  readonly class?: string;
  readonly text?: string;
  readonly [name: string]: string | boolean | undefined;
}

type Child = Node | string | undefined;

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { text, ...attributes }: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    made.setAttribute(name, value === true ? '' : value);
  }
  if (text !== undefined) made.textContent = text;
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** A button that does something, and no submit button of a form it may stand in. */
export function button(label: string, attributes: Attributes, onClick: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', text: label, ...attributes });
  made.addEventListener('click', onClick);
  return made;
}
