/** Packages that only the bench has. */
import { existsSync } from 'node:fs';
import type { NotHere } from '../harness.ts';

/** Undefined when all are installed. */
export function missingPackages(...packages: readonly string[]): NotHere | undefined {
  const missing = packages.filter(
    (name) => !existsSync(new URL(`../node_modules/${name}/package.json`, import.meta.url)),
  );
  if (missing.length === 0) return undefined;
  return { notHere: `${missing.join(' and ')} not installed; run: npm ci --prefix bench` };
}
