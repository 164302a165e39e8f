// One command line, from its words to its exit code.
import { DataDirInUseError } from '@foyer/prisma';
import { type Config, readConfig } from '../env.js';
import { runService } from '../main.js';
import { requireReadableKeys } from '../tokens/signing-keys.js';
import { buildStoreDeps } from '../wiring.js';
import { apps } from './apps.js';
import { help } from './help.js';
import { importV1 } from './import-v1.js';
import { keys } from './keys.js';
import { canRunInService, runInService, serveCommands } from './local-socket.js';
import type { Screen } from './progress.js';
import { rotateKeys } from './rotate-keys.js';
import { usageOf } from './usage.js';
import { requireNoMore, say, UsageError, type WithStore } from './words.js';

export type Surroundings = {
  env: NodeJS.ProcessEnv;
  stderr: Screen;
  /** Opens the installation; a test gives one that is open. */
  open?: (config: Config) => ReturnType<typeof buildStoreDeps>;
};

/** Results go to stdout. A refusal is one sentence on stderr, and the exit code 1, or 2 with the usage. */
export async function runCommand(words: string[], surroundings: Surroundings): Promise<number> {
  try {
    return (await runHereOrInService(words, surroundings)) ?? 0;
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error);
    const misused = error instanceof UsageError;
    surroundings.stderr.write(`foyer: ${sentence}\n${misused ? `\n${usageOf(words[0])}` : ''}`);
    return misused ? 2 : 1;
  }
}

/** On the embedded database the running service does what it can for the command line. */
async function runHereOrInService(words: string[], surroundings: Surroundings): Promise<number | undefined> {
  try {
    return await run(words, surroundings);
  } catch (error) {
    const { dataDir } = error instanceof DataDirInUseError ? readConfig(surroundings.env) : {};
    if (dataDir === undefined || !canRunInService(words[0]) || !(await runInService(dataDir, words)))
      throw error;
    return 0;
  }
}

/** The exit code, where it is not 0. */
async function run(words: string[], surroundings: Surroundings): Promise<number | undefined> {
  const [command, ...rest] = words;
  const { env, stderr, open = buildStoreDeps } = surroundings;
  const withStore: WithStore = async (work) => {
    const { deps, close } = await open(readConfig(env));
    try {
      await requireReadableKeys(deps);
      await work(deps);
    } finally {
      await close();
    }
  };
  if (rest.includes('--help') || rest.includes('-h')) {
    say(usageOf(command).trimEnd());
    return;
  }
  switch (command) {
    case 'start':
      requireNoMore(rest);
      await runService(readConfig(env), say, serveCommands);
      return;
    case 'migrate': {
      requireNoMore(rest);
      // Opening the store migrates it, whatever the keys are.
      const { close } = await open(readConfig(env));
      await close();
      say('The database is up to date.');
      return;
    }
    case 'apps':
      await apps(rest, withStore);
      return;
    case 'keys':
      await keys(rest, withStore);
      return;
    case 'import-v1':
      return importV1(rest, withStore, stderr);
    case 'rotate-keys':
      await rotateKeys(rest, withStore);
      return;
    case 'help':
    case '--help':
    case '-h':
      say(help().trimEnd());
      return;
    case undefined:
      throw new UsageError('a command is missing');
    default:
      throw new UsageError(`there is no command ${JSON.stringify(command)}`);
  }
}
