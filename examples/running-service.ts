// A service with a demo app, started as `npm start` does, for the tests of the examples.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '../server/test/free-port.js';
import { quickStart } from '../server/test/quick-start.js';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Starts a service on an embedded database; `env` is added to its environment. */
export async function startService(env: Record<string, string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'foyer-examples-'));
  const service = spawn(process.execPath, [...quickStart, 'server/dist/cli.js', 'start'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      // Chosen before the start, because the URLs of files contain it.
      PORT: String(await freePort()),
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const startup = await readStartup(service);
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'));
  return {
    ...startup,
    appId: String(demo.app_id),
    mailboxUrl: String(demo.mailbox_url),
    async stop() {
      await stopProcess(service);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Reads the base URL and the demo app's keys from the output of the first start. */
async function readStartup({ stdout }: ChildProcess) {
  let output = '';
  for await (const line of createInterface({ input: stdout! })) {
    output += `${line}\n`;
    const [baseUrl, appKey, secretKey] = [/API: (\S+),/, /app key\s+(pk_\S+)/, /secret key\s+(sk_\S+)/].map(
      (pattern) => pattern.exec(output)?.[1],
    );
    if (baseUrl && appKey && secretKey) return { baseUrl, appKey, secretKey };
  }
  throw new Error(`the service did not start: ${output}`);
}
