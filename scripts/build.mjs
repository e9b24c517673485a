// Bundles the product into dist: one entry, a chunk for each part that is loaded only when it is used. Another entry and
// folder can be named behind it; the bench builds what it measures like this.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from './set-up.mjs';

const [entry = 'src/cli/cli.ts', folder = 'dist'] = process.argv.slice(2);
const outdir = path.join(root, folder);
rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: [path.join(root, entry)],
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  // CommonJS packages inside an ESM bundle still call require.
  banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
});
