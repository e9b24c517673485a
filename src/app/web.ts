/** The web role: the page on the HTTP server of this process. It needs Redis and nothing else; a worker may be anywhere. */
import { fileURLToPath } from 'node:url';
import { readPageFiles } from '../adapters/web/page-files.ts';
import { filesPath, maxPdfBytes, type WebOptions, webServer } from '../adapters/web/server.ts';
import { answerCommand } from '../commands/answer-command.ts';
import { plainDialect } from '../commands/plain-dialect.ts';
import { readCommandLine } from '../commands/read-command-line.ts';
import { isLoopback } from '../config/schema.ts';
import { secretOf } from '../config/secret.ts';
import { acceptInbound } from '../intake/accept.ts';
import type { HealthOptions } from '../observe/health.ts';
import { builtFiles } from './built-files.ts';
import { type App, remindersOf, zoneOf } from './compose.ts';

export interface RunningWeb extends Required<Pick<HealthOptions, 'extraRoutes' | 'bodyLimits'>> {
  /** Ends what pages follow, and resolves when everything that was said has been passed on. */
  close(): Promise<void>;
}

/** Throws `ConfigError` when the key that signs cookies cannot be kept. */
export function openWeb(app: App): RunningWeb {
  const { config, board } = app;
  const { host, webToken: token } = config.http;
  const accept = acceptInbound(app);
  const built = builtFiles();
  const server = webServer({
    ...app,
    accept,
    command: commandOf(app),
    page: readPageFiles(fileURLToPath(new URL('web/', built))),
    secret: secretOf(config.secret, config.dataFolder),
    isLoopback: isLoopback(host),
    token,
  });
  return {
    extraRoutes: { '/*': (request, peer) => server.fetch(request, peer) },
    bodyLimits: { [filesPath]: maxPdfBytes },
    async close() {
      server.close();
      await accept.settled();
      board.close();
    },
  };
}

function commandOf(app: App): WebOptions['command'] {
  const means = { ...app, reminders: remindersOf(app), defaultZone: app.config.defaultZone };
  return async (line, by) => {
    const command = readCommandLine(line);
    return command && answerCommand(command, by, plainDialect(await zoneOf(app, by.person)), means);
  };
}
