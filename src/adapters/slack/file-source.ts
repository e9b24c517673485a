/** How a file of Slack is found: its address, which only the bot's token opens, and its id, under which a new one stands. */
import { z } from 'zod';
import { FileUnavailableError } from '../../domain/errors.ts';
import type { FetchFile } from '../../ports/files.ts';
import { isRefused } from './failures.ts';
import type { WebFor } from './web.ts';

interface FileSource {
  readonly team: string;
  readonly file: string;
  /** Media type, as Slack says. */
  readonly type: string | undefined;
  /** `url_private` */
  readonly url: string;
}

export function fileSource({ team, file, type, url }: FileSource): string {
  return `${team}/${file}/${type?.startsWith('text/html') ? 'page' : 'file'} ${url}`;
}

interface KnownFile extends Omit<FileSource, 'type'> {
  /** It is a page itself: not every page is one to sign in. */
  readonly isPage: boolean;
}

function readFileSource(source: string): KnownFile {
  const [, team = '', file = '', kind = '', url = ''] =
    /^(\w+)\/(\w+)\/(page|file) (.*)$/u.exec(source) ?? [];
  return { team, file, isPage: kind === 'page', url };
}

const fileInfo = z.object({ file: z.object({ url_private: z.string() }) });

/** `download` takes an address, and what is sent there. */
export interface FileMeans {
  readonly webFor: WebFor;
  readonly tokenFor: (team: string) => Promise<string>;
  readonly download: (
    headers: Readonly<Record<string, string>>,
    refuse: (response: Response) => string | undefined,
  ) => FetchFile;
}

/** What is not there any more is looked for once more, under the address of today. */
export function slackFiles({ webFor, tokenFor, download }: FileMeans): FetchFile {
  return async (source, signal) => {
    const file = readFileSource(source);
    const authorization = `Bearer ${await tokenFor(file.team)}`;
    const fetchFile = download({ authorization }, (response) =>
      !file.isPage && isPage(response) ? signInPage : undefined,
    );
    try {
      return await fetchFile(file.url, signal);
    } catch (error) {
      if (!(error instanceof FileUnavailableError) || error.why === 'too_large') throw error;
      const url = await newAddress(file, signal);
      if (url === undefined || url === file.url) throw error;
      return fetchFile(url, signal);
    }
  };

  async function newAddress({ team, file }: KnownFile, signal: AbortSignal): Promise<string | undefined> {
    const web = await webFor(team);
    try {
      return fileInfo.parse(await web('files.info', { file }, signal)).file.url_private;
    } catch (error) {
      if (!isRefused(error)) throw error;
      return undefined; // the file is gone, too
    }
  }
}

const signInPage = 'Slack answered with a page to sign in: the app lacks the scope files:read';

function isPage({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/html') === true;
}
