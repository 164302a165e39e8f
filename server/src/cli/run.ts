// Runs one command line and returns its exit code.
import { DataDirInUseError } from '@foyer/prisma';
import { connectPatiently } from '../../engines/safe-fetch/index.js';
import manifest from '../../package.json' with { type: 'json' };
import { type Config, readConfig, readDevConfig } from '../env.js';
import { runService } from '../main.js';
import { requireReadableKeys } from '../tokens/signing-keys.js';
import { buildStoreDeps } from '../wiring.js';
import { type Ask, apply, diff, printSchema, pull } from './app-files/commands.js';
import { type Print, requireNoMore, UsageError, type WithStore } from './argv.js';
import { dev } from './dev.js';
import { exportUsers, type WriteOut } from './export/export-users.js';
import { filesContext } from './files-context.js';
import { help } from './help.js';
import { importUsers } from './import/import-users.js';
import { importV1 } from './import-v1.js';
import { runInService, serveCommands, shortCommand } from './local-socket.js';
import { migrateOnly } from './migrate.js';
import type { Screen } from './progress.js';
import { rotateKeys } from './rotate-keys.js';
import { sentenceOf } from './sentence-of.js';
import { usageOf } from './usage.js';

export type Surroundings = {
  env: NodeJS.ProcessEnv;
  /** Writes a line to stdout. */
  print: Print;
  /** Writes to stdout as `print` does, for more than fits into memory. */
  write: WriteOut;
  stderr: Screen;
  /** Asks on the terminal; undefined without one. */
  ask?: Ask;
  /** Opens the installation; tests pass an open one. */
  open?: (config: Config) => ReturnType<typeof buildStoreDeps>;
};

/** Results go to stdout, errors to stderr with exit code 1, or 2 with the usage. */
export async function runCommand(argv: string[], surroundings: Surroundings): Promise<number> {
  connectPatiently();
  try {
    return (await runHereOrInService(argv, surroundings)) ?? 0;
  } catch (error) {
    const misused = error instanceof UsageError;
    surroundings.stderr.write(`foyer: ${sentenceOf(error)}\n${misused ? `\n${usageOf(argv[0])}` : ''}`);
    return misused ? 2 : 1;
  }
}

/** With the embedded database, a running service executes the commands that it can. */
async function runHereOrInService(argv: string[], surroundings: Surroundings): Promise<number | undefined> {
  try {
    return await run(argv, surroundings);
  } catch (error) {
    const { dataDir } = error instanceof DataDirInUseError ? readConfig(surroundings.env) : {};
    if (dataDir === undefined || !shortCommand(argv[0])) throw error;
    if (!(await runInService(dataDir, argv, surroundings.print))) throw error;
    return 0;
  }
}

/** The exit code, unless it is 0. */
async function run(argv: string[], surroundings: Surroundings): Promise<number | undefined> {
  const [command, ...rest] = argv;
  const { env, print, write, stderr, open = buildStoreDeps } = surroundings;
  const withStore: WithStore = async (work) => {
    const { deps, close } = await open(readConfig(env));
    try {
      await requireReadableKeys(deps);
      await work(deps, print);
    } finally {
      await close();
    }
  };
  if (rest.includes('--help') || rest.includes('-h')) {
    print(usageOf(command).trimEnd());
    return;
  }
  const short = shortCommand(command);
  if (short) {
    await short(rest, withStore);
    return;
  }
  switch (command) {
    case 'start':
      requireNoMore(rest);
      await runService(readConfig(env), print, serveCommands);
      return;
    case 'dev':
      await dev(rest, print, (variables) => readDevConfig(env, variables));
      return;
    case 'migrate': {
      await migrateOnly(rest, print, () => open(readConfig(env)));
      return;
    }
    case 'import':
      return importUsers(rest, withStore, stderr);
    case 'import-v1':
      return importV1(rest, withStore, stderr);
    case 'export':
      return exportUsers(rest, withStore, { write, stderr });
    case 'pull':
      return pull(rest, filesContext(surroundings));
    case 'diff':
      return diff(rest, filesContext(surroundings));
    case 'apply':
      return apply(rest, filesContext(surroundings));
    case 'schema':
      printSchema(rest, print);
      return;
    case 'rotate-keys':
      await rotateKeys(rest, withStore);
      return;
    case 'help':
    case '--help':
    case '-h':
      print(help().trimEnd());
      return;
    case 'version':
    case '--version':
    case '-v':
      requireNoMore(rest);
      print(manifest.version);
      return;
    case undefined:
      throw new UsageError('a command is missing');
    default:
      throw new UsageError(`there is no command ${JSON.stringify(command)}`);
  }
}
