/** The main part of a page, as Markdown. Its scripts are never run, and nothing is fetched for it. */
import { Defuddle } from 'defuddle/node';
import { parseHTML } from 'linkedom';
import type { DocumentText } from './document-reader.ts';

export async function pageText(bytes: Uint8Array, url: string): Promise<DocumentText> {
  const { document } = parseHTML(new TextDecoder(charsetOf(bytes)).decode(bytes));
  const { title, contentMarkdown, content } = await Defuddle(document, url, {
    separateMarkdown: true,
    useAsync: false,
  });
  return { text: contentMarkdown ?? content, ...(title !== '' && { title }) };
}

/** As the page itself names it in its first bytes; an unknown name counts as UTF-8. */
function charsetOf(bytes: Uint8Array): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 2_048));
  const name = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(head)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return 'utf-8';
  }
}
