/** Colours for code in the languages that learners meet; any other stays plain. */
import type { ElementContent } from 'hast';
import { common, createLowlight } from 'lowlight';

const lowlight = createLowlight(common);
/** Colouring more than this at once would be felt. Unit: characters. */
const maxChars = 20_000;

export function coloured(text: string, language: string): ElementContent[] {
  const plain: ElementContent[] = [{ type: 'text', value: text }];
  if (text.length > maxChars || !lowlight.registered(language)) return plain;
  const { children } = lowlight.highlight(language, text);
  return children.filter((node) => node.type === 'element' || node.type === 'text');
}
