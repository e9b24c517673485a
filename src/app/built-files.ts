import { existsSync } from 'node:fs';

/** The folder of the bundle; where the sources run as they are, what was built last. */
export function builtFiles(): URL {
  const beside = new URL('./', import.meta.url);
  return existsSync(new URL('web/', beside)) ? beside : new URL('../../dist/', import.meta.url);
}
