// foyer dev: the service on the developer's machine, to test an app against, with nothing to configure.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../env.js';
import { runService } from '../main.js';
import { type Print, parse, UsageError } from './argv.js';
import { serveCommands } from './local-socket.js';

const defaultPort = '3000';

export async function dev(
  argv: string[],
  print: Print,
  configOf: (variables: Record<string, string>) => Config,
): Promise<void> {
  const { options } = parse(argv, {
    port: { type: 'string', default: defaultPort },
    'data-dir': { type: 'string' },
    'no-rate-limits': { type: 'boolean' },
  });
  const PORT = String(options.port);
  if (!/^[1-9]\d{0,4}$/.test(PORT) || Number(PORT) > 65_535)
    throw new UsageError('--port must be 1 to 65535');
  const dataDir = options['data-dir'] as string | undefined;
  if (dataDir?.trim() === '') throw new UsageError('--data-dir must name a folder');
  const config = (DATA_DIR: string): Config => ({
    ...configOf({
      ...{ PORT, DATA_DIR, HOST: '127.0.0.1', OUTBOUND_LOOPBACK: 'on', LOG_LEVEL: 'error' },
      RATE_LIMITS: options['no-rate-limits'] ? 'off' : 'on',
    }),
    openMailbox: true,
  });
  const notices = options['no-rate-limits']
    ? ['Rate limits are off (--no-rate-limits): guesses, sign-ups and mails are not limited.']
    : [];
  if (dataDir !== undefined) return run(config(dataDir), print, notices);
  const temporary = mkdtempSync(join(tmpdir(), 'foyer-dev-'));
  const remove = () => removeFolder(temporary);
  // A second signal ends the process at once, and so does the first one before the service listens.
  process.once('exit', remove);
  try {
    await run(config(temporary), print, [
      ...notices,
      'All data is deleted at the end (Ctrl-C); --data-dir <folder> keeps it.',
    ]);
  } finally {
    remove();
    process.off('exit', remove);
  }
}

/** Prints the notices before what the service prints, which is nothing until it listens. */
async function run(config: Config, print: Print, notices: string[]): Promise<void> {
  const printAfterNotices = (line: string) => {
    for (const notice of notices.splice(0)) print(notice);
    print(line);
  };
  try {
    await runService(config, printAfterNotices, serveCommands);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The advice of the service names variables, which this command does not read.
    const message = error.message.replace(/\bPORT\b/g, '--port').replace(/\bDATA_DIR\b/g, '--data-dir');
    throw new Error(message, { cause: error });
  }
}

const maxTries = 10;

/** While the process ends, files that it was creating still appear: each try waits for a moment, and the next one removes them. */
function removeFolder(path: string): void {
  for (let tries = 1; ; tries += 1) {
    try {
      rmSync(path, { recursive: true, force: true, maxRetries: 1 });
      return;
    } catch (error) {
      if (tries === maxTries) throw error;
    }
  }
}
