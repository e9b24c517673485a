/** Files that are dropped on the page or picked. Text is read here, and only as much of it as a message may bring along. */
import { maxFileBytes, maxFiles } from '../../../domain/file.ts';
import type { FileText } from '../wire.ts';
import { sendPdf } from './api.ts';
import type { FilesTray } from './composer.ts';
import { button, element } from './element.ts';
import { beginningOf } from './text-file.ts';

/** As the server has it. Unit: characters. */
const maxChars = 20_000;
/** What is pasted beyond this becomes a file. Unit: characters. */
const maxPastedChars = 20_000;

interface Entry {
  readonly row: HTMLElement;
  text: FileText | undefined;
  readonly stop: AbortController;
}

export class DroppedFiles implements FilesTray {
  readonly list = element('ul', { class: 'tray', 'aria-label': 'Files to send' });
  readonly button: HTMLElement;
  private readonly picker = element('input', { type: 'file', multiple: true, hidden: true, tabindex: '-1' });
  private entries: Entry[] = [];

  /** What there was to say about the files that came last: none of it takes the place of another. */
  private told: readonly string[] = [];

  constructor(private readonly say: (text: string) => void) {
    this.button = button('+', { class: 'quiet add', 'aria-label': 'Add files', title: 'Add files' }, () =>
      this.picker.click(),
    );
    this.button.append(this.picker);
    this.picker.addEventListener('click', (event) => event.stopPropagation());
    this.picker.addEventListener('change', () => {
      this.add([...(this.picker.files ?? [])]);
      this.picker.value = '';
    });
  }

  /** What is dropped anywhere on the page is meant for the message. */
  acceptDropsOn(target: HTMLElement): void {
    target.addEventListener('dragover', (event) => {
      event.preventDefault();
      target.classList.add('is-dropping');
    });
    target.addEventListener('dragleave', (event) => {
      if (event.relatedTarget === null) target.classList.remove('is-dropping');
    });
    target.addEventListener('drop', (event) => {
      event.preventDefault();
      target.classList.remove('is-dropping');
      this.add([...(event.dataTransfer?.files ?? [])]);
    });
    target.addEventListener('paste', (event) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      // Cells of a spreadsheet and the like come as text and as a picture of it: then the text is meant.
      const files = text === '' ? [...(event.clipboardData?.files ?? [])] : [];
      // In the field a text of that length would hold up the page.
      if (text.length > maxPastedChars) files.push(new File([text], 'pasted.txt'));
      if (files.length === 0) return;
      event.preventDefault();
      this.add(files);
    });
  }

  /** What there is room for, in order: a file is cut where the room ends. */
  get texts(): readonly FileText[] {
    let left = maxChars;
    return this.entries.flatMap(({ text }) => {
      if (text === undefined || left <= 0) return [];
      const kept = text.text.slice(0, left);
      left -= kept.length;
      return [{ name: text.name, text: kept, isCut: text.isCut || kept.length < text.text.length }];
    });
  }

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  get isReading(): boolean {
    return this.entries.some(({ text }) => text === undefined);
  }

  clear(): void {
    for (const { stop } of this.entries) stop.abort();
    this.entries = [];
    this.list.replaceChildren();
  }

  private tell(line: string): void {
    if (!this.told.includes(line)) this.told = [...this.told, line];
    this.say(this.told.join('\n'));
  }

  private add(files: readonly File[]): void {
    if (!this.isReading) this.told = [];
    const room = maxFiles - this.entries.length;
    if (files.length > room)
      this.tell(`${maxFiles} files fit into a message; I left out ${files.length - Math.max(0, room)}.`);
    for (const file of files.slice(0, Math.max(0, room))) void this.read(file);
  }

  private async read(file: File): Promise<void> {
    const stop = new AbortController();
    const progress = element('progress', { max: '1', 'aria-label': `Reading ${file.name}` });
    const label = element('span', { text: file.name });
    const remove = button('×', { class: 'quiet', 'aria-label': `Leave out ${file.name}` }, () =>
      this.leaveOut(entry),
    );
    const entry: Entry = { row: element('li', {}, label, progress, remove), text: undefined, stop };
    this.entries.push(entry);
    this.list.append(entry.row);
    const read = await this.textOf(file, (part) => (progress.value = part), stop.signal);
    if (stop.signal.aborted) return;
    if ('problem' in read) {
      this.leaveOut(entry);
      this.tell(`${file.name}: ${read.problem}`);
      return;
    }
    progress.remove();
    entry.text = { name: file.name, ...read };
    this.label();
  }

  /** Says of each file how much of it goes along. */
  private label(): void {
    const going = this.texts;
    let at = 0;
    for (const { row, text } of this.entries) {
      if (text === undefined) continue;
      const part = going[at++];
      const chars = (part?.text.length ?? 0).toLocaleString('en');
      const how =
        part === undefined
          ? 'no room left'
          : part.isCut
            ? `only the first ${chars} characters`
            : `${chars} characters`;
      row.firstChild?.replaceWith(element('span', { text: `${text.name} · ${how}` }));
    }
    const { length } = this.entries.filter(({ text }) => text !== undefined);
    if (going.length < length || going.some(({ isCut }) => isCut))
      this.tell(`A message takes ${maxChars.toLocaleString('en')} characters of files; the rest is cut.`);
  }

  private leaveOut(entry: Entry): void {
    entry.stop.abort();
    entry.row.remove();
    this.entries = this.entries.filter((each) => each !== entry);
    this.label();
  }

  private async textOf(
    file: File,
    onProgress: (part: number) => void,
    signal: AbortSignal,
  ): Promise<{ text: string; isCut: boolean } | { problem: string }> {
    if (file.size === 0) return { problem: 'this file is empty.' };
    try {
      // What is in it counts, not what it is called.
      const start = await file.slice(0, 1024).text();
      if (!start.includes('%PDF-')) return await beginningOf(file, maxChars);
      if (file.size > maxFileBytes) return { problem: 'a PDF may have 20 MB at most.' };
      const pdf = await sendPdf(file, onProgress, signal);
      if ('text' in pdf || !pdf.isUnreadable || /\.pdf$/i.test(file.name)) return pdf;
      // A text about PDFs, say, that quotes how they begin.
      const read = await beginningOf(file, maxChars);
      if ('text' in read) this.tell(`${file.name} is no PDF, although it looks like one. I read it as text.`);
      return 'text' in read ? read : pdf;
    } catch {
      return { problem: 'this cannot be read; a folder perhaps, or a file that has changed.' };
    }
  }
}
