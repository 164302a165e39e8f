#!/usr/bin/env node
// The command line `foyer`. It speaks to a person: results on stdout, refusals as one sentence on stderr and exit code 1.
import { DataDirInUseError } from '@foyer/prisma';
import { apps } from './cli/apps.js';
import { help } from './cli/help.js';
import { importV1 } from './cli/import-v1.js';
import { keys } from './cli/keys.js';
import { canRunInService, runInService, serveCommands } from './cli/local-socket.js';
import { rotateKeys } from './cli/rotate-keys.js';
import { usageOf } from './cli/usage.js';
import { requireNoMore, say, UsageError, type WithStore } from './cli/words.js';
import { readConfig } from './env.js';
import { runService } from './main.js';
import { requireReadableKeys } from './tokens/signing-keys.js';
import { buildStoreDeps } from './wiring.js';

async function main(words: string[]): Promise<void> {
  const [command, ...rest] = words;
  if (rest.includes('--help') || rest.includes('-h')) return say(usageOf(command).trimEnd());
  switch (command) {
    case 'start':
      requireNoMore(rest);
      return runService(readConfig(process.env), say, serveCommands);
    case 'migrate':
      requireNoMore(rest);
      return migrateStore();
    case 'apps':
      return apps(rest, withStore);
    case 'keys':
      return keys(rest, withStore);
    case 'import-v1':
      return importV1(rest, withStore);
    case 'rotate-keys':
      return rotateKeys(rest, withStore);
    case 'help':
    case '--help':
    case '-h':
      return say(help().trimEnd());
    case undefined:
      throw new UsageError('a command is missing');
    default:
      throw new UsageError(`there is no command ${JSON.stringify(command)}`);
  }
}

/** Opening the store migrates it, whatever the keys are. */
async function migrateStore(): Promise<void> {
  const { close } = await buildStoreDeps(readConfig(process.env));
  await close();
  say('The database is up to date.');
}

const withStore: WithStore = async (work) => {
  const { deps, close } = await buildStoreDeps(readConfig(process.env));
  try {
    await requireReadableKeys(deps);
    await work(deps);
  } finally {
    await close();
  }
};

/** On the embedded database the running service does what it can for the command line. */
async function mainOrInService(words: string[]): Promise<void> {
  try {
    await main(words);
  } catch (error) {
    const { dataDir } = error instanceof DataDirInUseError ? readConfig(process.env) : {};
    if (dataDir === undefined || !canRunInService(words[0]) || !(await runInService(dataDir, words)))
      throw error;
  }
}

mainOrInService(process.argv.slice(2)).catch((error: unknown) => {
  const sentence = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    `foyer: ${sentence}\n${error instanceof UsageError ? `\n${usageOf(process.argv[2])}` : ''}`,
  );
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
