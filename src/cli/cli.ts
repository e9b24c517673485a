#!/usr/bin/env node
/** The command line. Each command loads its own code only when it is called. */
import { Argument, Command, Option } from 'commander';
import { roles } from '../config/role.ts';
import { settings } from '../config/settings.ts';

const program = new Command('docent')
  .description('A tutor that answers live, thinks in the folded trace, and asks back when it must.')
  .addHelpText('after', () => `\nSettings (environment or .env):\n${settingLines()}`);

program
  .command('start')
  .description('run Docent; at a terminal you can talk with it at once')
  .addOption(new Option('--role <role>', 'which parts this process plays').choices(roles).default('all'))
  .action(async ({ role }) => {
    const { start } = await import('./start.ts');
    leave(await start(role));
  });

program
  .command('chat')
  .description('talk with the Docent of this folder; without one, this process does the work')
  .action(async () => {
    const { chat } = await import('./chat.ts');
    leave(await chat());
  });

program
  .command('doctor')
  .description('check what is set up outside of Docent, with the remedy for whatever is wrong')
  .action(async () => {
    const { doctor } = await import('./doctor.ts');
    process.exitCode = await doctor();
  });

program
  .command('manifest')
  .description('print what a platform is told of the app, with the reason for each thing it may do')
  .addArgument(new Argument('<platform>').choices(['slack']))
  .argument('[address]', 'where Docent can be reached over HTTPS; without it the app uses Socket Mode')
  .action(async (_platform, url) => {
    const { manifest } = await import('./manifest.ts');
    process.exitCode = manifest(url);
  });

await program.parseAsync();

/** Whatever is still held open: a part that could not stop, for want of Redis, must not keep the process. */
function leave(code: number): never {
  process.exit(code);
}

function settingLines(): string {
  const shown = settings.filter((setting) => !('isInternal' in setting));
  const width = Math.max(...shown.map(({ name }) => name.length));
  return shown
    .map((setting) => {
      const fallback = 'fallback' in setting ? ` (default ${setting.fallback})` : '';
      return `  ${setting.name.padEnd(width)}  ${setting.meaning}${fallback}`;
    })
    .join('\n');
}
