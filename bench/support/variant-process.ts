/** A child process: prepares its variants and measures one of them each time it is asked. */
import { sampleOf } from './cpu.ts';
import type { Prepare } from './pairs.ts';

const [baseUrl = '', ...variants] = process.argv.slice(2);
const works = await Promise.all(
  variants.map(async (variant) => {
    const [file = '', argument = ''] = variant.split(':');
    const program = new URL(`../variants/${file.replace(/\.m?[jt]s$/, '.js')}`, import.meta.url);
    const { prepare }: { prepare: Prepare } = await import(program.href);
    return prepare(baseUrl, argument);
  }),
);

process.on('disconnect', () => process.exit());
process.on('message', (index: number) => {
  const work = works[index];
  if (work === undefined) return;
  sampleOf(work).then(
    (sample) => process.send?.(sample),
    (error: unknown) =>
      process.send?.(`${variants[index]}: ${error instanceof Error ? error.stack : String(error)}`),
  );
});
process.send?.('ready');
