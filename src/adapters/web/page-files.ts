/** The built page, read once: each file with its type, its compressed form and a tag that changes with it. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

export interface PageFile {
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Absent where compressing gains nothing. */
  readonly gzip: Uint8Array<ArrayBuffer> | undefined;
  readonly etag: string;
}

/** By path below the root of the site, such as `page.js`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Throws when the page has not been built. */
export function readPageFiles(folder: string): PageFiles {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll(path.sep, '/'),
  );
  const files = new Map(
    names.flatMap((name): [string, PageFile][] => {
      const extension = path.extname(name);
      const type = types[extension];
      if (type === undefined) return [];
      const body = new Uint8Array(readFileSync(path.join(folder, name)));
      const gzip = extension === '.woff2' ? undefined : new Uint8Array(gzipSync(body));
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
      return [[name, { type, body, gzip, etag }]];
    }),
  );
  if (!files.has('index.html')) throw new Error(`there is no page in ${folder}: run npm run build`);
  return files;
}

export function servePageFile(file: PageFile, { headers }: Request): Response {
  const common = { ETag: file.etag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' };
  if (headers.get('if-none-match') === file.etag) return new Response(null, { status: 304, headers: common });
  const mayZip = /\bgzip\b/.test(headers.get('accept-encoding') ?? '');
  const zipped = mayZip ? file.gzip : undefined;
  return new Response(zipped ?? file.body, {
    headers: {
      ...common,
      'Content-Type': file.type,
      ...(zipped === undefined ? {} : { 'Content-Encoding': 'gzip' }),
    },
  });
}
