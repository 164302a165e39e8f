// The process: builds the dependencies, listens, and shuts down gracefully.
import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { limits } from '@foyer/contract';
import { listen, startListening } from '../engines/http-guard/index.js';
import { createExpressApp } from './app.js';
import { listApps } from './apps/create-app.js';
import { demoApp } from './apps/demo-app.js';
import { firstOwnerLink } from './console/invitations/owner-link.js';
import type { Deps } from './deps.js';
import type { Config } from './env.js';
import { dashboardPath } from './http/dashboard.js';
import { mailboxUrl } from './http/dev-mailbox.js';
import { refusals } from './http/refusals.js';
import { closing } from './lib/closing.js';
import { returnIdleMemory } from './lib/idle-memory.js';
import { jsonLogger, type Logger } from './lib/logger.js';
import { scheduler, startJobs } from './scheduler.js';
import { buildDeps } from './wiring.js';

/** Runs with the service on the embedded database; returns a function that stops it. */
export type Companion = (deps: Deps) => Promise<() => Promise<void>>;

export type Service = { url: string; stop(): Promise<void> };

/** The time for calls and jobs in progress when the service stops (docs/deployment.md). */
export const graceMilliseconds = 10_000;
/**
 * The growth in percent of the memory that is in use. V8's own choice, up to four times as much, held 120 MB more of
 * garbage. At 30 %, small calls took a third more processor time.
 */
const heapGrowingPercent = 100;

export async function startService(
  config: Config,
  print: (line: string) => void,
  logger: Logger,
  companion?: Companion,
  beforeListening: () => void = () => {},
): Promise<Service> {
  const { deps, database, close } = await buildDeps(config, { logger });
  const opened = closing();
  opened.add(close);
  try {
    await startJobs(deps);
    const background = scheduler(deps, { timer: true });
    opened.add(() => background.stop());
    if (config.metricsPort !== undefined) opened.add(await serveMetrics(deps, config.metricsPort));
    beforeListening();
    const listening = await listen(createExpressApp(deps), config.port, config.host, {
      refusals: refusals(deps),
    });
    opened.add(() => listening.stop(graceMilliseconds));
    const url = config.port === 0 ? `http://localhost:${listening.port}` : config.baseUrl;
    if (database.directory) {
      const { path, created } = database.directory;
      // Distinguishes a mistyped DATA_DIR from a database that lost its data.
      print(`${created ? 'Created a new, empty' : 'Opened the existing'} database in ${path} (DATA_DIR)`);
    }
    print(
      `Foyer is running at ${url} (API: ${url}/api/v2, documentation: ${url}/docs, dashboard: ${url}${dashboardPath})`,
    );
    if (deps.mailer.mailbox) print(`Mail is not sent; read it at ${mailboxUrl(deps, url)}`);
    if (config.databaseUrl === undefined) {
      await demoApp(deps, { url, mailboxUrl: deps.mailer.mailbox && mailboxUrl(deps, url) }, print);
      if (companion) opened.add(await companion(deps));
    } else if ((await listApps(deps)).length === 0) {
      print(
        'There is no app yet. Create one with the environment of this service; the command prints its keys once:',
      );
      const command = 'apps create --name "My app"';
      print(`  foyer ${command}        (in a checkout: npm run foyer -- ${command})`);
    }
    const link = await firstOwnerLink(deps, url);
    if (link)
      print(
        `Open ${link} to create the first owner (works once, ${limits.invitationHours.firstOwner} hours)`,
      );
    const keepMemory = returnIdleMemory();
    opened.add(async () => keepMemory());
    return { url, stop: () => opened.close() };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Runs until SIGTERM, SIGINT, or SIGHUP of a closed terminal; a second signal exits at once. */
export async function runService(
  config: Config,
  print: (line: string) => void,
  companion?: Companion,
): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`);
  const logger = jsonLogger(config.logLevel);
  // An unhandled rejection in one request must not end the process, which is Node's default.
  process.on('unhandledRejection', (error) => logger.error({ err: error }, 'unhandled rejection'));
  // Neither must what is printed at the start, on a full disk or to a reader that has gone.
  process.stdout.on('error', () => {});
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  // From the first request on, a signal lets requests finish; a start that waits for its database ends at once. That takes a
  // listener: the kernel keeps a signal without one from the first process of a container.
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  const exit = () => process.exit(1);
  for (const signal of signals) process.once(signal, exit);
  const handleSignals = () => {
    for (const signal of signals) {
      process.off(signal, exit);
      process.once(signal, () => {
        process.once(signal, exit);
        stop();
      });
    }
  };
  const service = await startService(config, print, logger, companion, handleSignals);
  await stopped;
  await service.stop();
}

/** Returns a function that stops the server. */
async function serveMetrics(deps: Deps, port: number): Promise<() => Promise<void>> {
  const server = createServer((req, res) => {
    if (req.url !== '/metrics') {
      res.writeHead(404).end();
      return;
    }
    deps.metrics.text().then(
      ({ contentType, body }) => res.writeHead(200, { 'Content-Type': contentType }).end(body),
      () => res.writeHead(500).end(),
    );
  });
  await startListening(server, port, deps.config.metricsHost, 'METRICS_PORT', 'METRICS_HOST');
  return async () => {
    server.close();
    server.closeAllConnections();
  };
}
