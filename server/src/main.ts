// The process: environment, dependencies, application, listening, and a stop that loses nothing.
import { createServer, type Server } from 'node:http';
import { createApp } from './app.js';
import { demoApp } from './apps/demo-app.js';
import { buildDeps, type Deps } from './deps.js';
import { dueWork } from './due-work.js';
import type { Config } from './env.js';
import { listen } from './http/listen.js';

export type Service = { url: string; stop(): Promise<void> };

const graceMilliseconds = 10_000;

export async function startService(config: Config, say: (line: string) => void): Promise<Service> {
  const { deps, close } = await buildDeps(config);
  try {
    const listening = await listen(createApp(deps), config.port, config.host);
    const metrics = config.metricsPort === undefined ? null : await serveMetrics(deps, config.metricsPort);
    const background = dueWork(deps, { timer: true });
    const url = config.port === 0 ? `http://localhost:${listening.port}` : config.baseUrl;
    say(`Foyer answers at ${url}, its API at ${url}/api/v2, its documentation at ${url}/docs`);
    if (config.databaseUrl === undefined) await demoApp(deps, url, say);
    return {
      url,
      async stop() {
        await listening.stop(graceMilliseconds);
        metrics?.close();
        await background.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Runs until SIGTERM or SIGINT; a second signal does not wait any more. */
export async function runService(config: Config, say: (line: string) => void): Promise<void> {
  const service = await startService(config, say);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        resolve();
      });
    }
  });
  await service.stop();
}

function serveMetrics(deps: Deps, port: number): Promise<Server> {
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
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, deps.config.host, () => resolve(server));
  });
}
