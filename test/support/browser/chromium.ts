/** Where Chromium is on this machine, if it is: tests of the page need it. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

export const chromiumInstallLine = 'apt-get install -y --no-install-recommends chromium';

export function chromiumPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return folders
    .flatMap((folder) =>
      ['chromium', 'chromium-browser', 'google-chrome'].map((name) => path.join(folder, name)),
    )
    .find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // not here
  }
}
