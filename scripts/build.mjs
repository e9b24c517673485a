// Bundles the product into dist: one entry, a chunk for each part that is loaded only when it is used, and the web page
// as a script, its worker and what both share, one style sheet and the fonts of formulas. Another entry and folder can be
// named behind it; the bench builds what it measures like this.
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from './set-up.mjs';

const [entry = 'src/cli/cli.ts', folder = 'dist'] = process.argv.slice(2);
const outdir = path.join(root, folder);
rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: [
    { in: path.join(root, entry), out: path.basename(entry, '.ts') },
    { in: path.join(root, 'src', 'files', 'document-worker.ts'), out: 'document-worker' },
  ],
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

const page = path.join(root, 'src', 'adapters', 'web', 'page');
const pageOut = path.join(outdir, 'web', 'page');
await build({
  entryPoints: [
    { in: path.join(page, 'main.ts'), out: 'page' },
    { in: path.join(page, 'style.css'), out: 'page' },
    { in: path.join(page, 'markdown', 'parse-worker.ts'), out: 'parse-worker' },
  ],
  outdir: pageOut,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'browser',
  // What the worker shares with the page has no document.
  conditions: ['worker'],
  target: ['chrome123', 'firefox120', 'safari17.5'],
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  assetNames: '[name]',
  // The older forms of the fonts are for browsers that the page does not support.
  loader: { '.woff2': 'file', '.woff': 'empty', '.ttf': 'empty' },
});
cpSync(path.join(page, 'index.html'), path.join(outdir, 'web', 'index.html'));
cpSync(path.join(page, 'icon.svg'), path.join(pageOut, 'icon.svg'));

// The programs of the sandbox, with all they may read: Python as it comes, and the engine for JavaScript.
const sandbox = path.join(outdir, 'sandbox');
await build({
  entryPoints: ['python-child.ts', 'javascript-child.ts'].map((file) =>
    path.join(root, 'src', 'sandbox', file),
  ),
  outdir: sandbox,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
});
const packages = path.join(root, 'node_modules');
const pythonFiles = [
  'package.json',
  'pyodide.mjs',
  'pyodide.asm.mjs',
  'pyodide.asm.wasm',
  'python_stdlib.zip',
];
for (const file of [...pythonFiles, 'pyodide-lock.json'])
  cpSync(path.join(packages, 'pyodide', file), path.join(sandbox, 'pyodide', file));
const engine = '@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm';
cpSync(path.join(packages, engine), path.join(sandbox, 'emscripten-module.wasm'));
