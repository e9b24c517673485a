/** The web role: the page on the HTTP server of this process. It needs Redis and nothing else; a worker may be anywhere. */
import { fileURLToPath } from 'node:url';
import { readPageFiles } from '../adapters/web/page-files.ts';
import { filesPath, maxPdfBytes, webServer } from '../adapters/web/server.ts';
import { isLoopback } from '../config/schema.ts';
import { secretOf } from '../config/secret.ts';
import { acceptInbound } from '../intake/accept.ts';
import type { HealthOptions } from '../observe/health.ts';
import { builtFiles } from './built-files.ts';
import type { App } from './compose.ts';
import { webHandlers } from './web-handlers.ts';

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
    ...webHandlers(app),
    accept,
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
