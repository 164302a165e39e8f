// The command line `foyer` in this process; by default on a database that stays open between the commands.
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, DataDirInUseError } from '@foyer/prisma';
import { createTestDatabase } from '@foyer/prisma/testing';
import { runCommand } from '../src/cli/run.js';
import { buildStoreDeps } from '../src/wiring.js';
import type { Outcome } from './foyer-process.js';
import { testEncryptionKey } from './harness.js';

export type CommandLine = {
  run(...words: string[]): Promise<Outcome>;
  /** Runs it with an environment of its own. */
  runWith(env: NodeJS.ProcessEnv, ...words: string[]): Promise<Outcome>;
  /** Runs it on a terminal, which shows progress as a bar. */
  runOnTerminal(...words: string[]): Promise<Outcome>;
  database: Database;
};

export async function openCommandLine(): Promise<CommandLine> {
  const database = await createTestDatabase();
  const lent = { ...database, close: async () => {} };
  // No command writes a file.
  const FILES_DIR = join(tmpdir(), `foyer-files-${randomUUID()}`);
  const open: Surroundings['open'] = (config) => buildStoreDeps(config, { database: lent });
  const usual = { ENCRYPTION_KEYS: testEncryptionKey, FILES_DIR };
  return {
    run: (...words) => captured(words, { env: usual, open }),
    runWith: (env, ...words) => captured(words, { env, open }),
    runOnTerminal: (...words) => captured(words, { env: usual, open }, true),
    database,
  };
}

/** Tests arguments that are refused or answered before any database is opened. */
export function runWithoutDatabase(words: string[]): Promise<Outcome> {
  return captured(words, {
    env: {},
    open: () => {
      throw new Error('the command opened the database');
    },
  });
}

/** As the program does, on the installation of the environment. */
export function runHere(words: string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  return captured(words, { env });
}

/** While another process has the data directory, as a running service with an embedded database does. */
export function runBeside(dataDir: string, words: string[]): Promise<Outcome> {
  return captured(words, {
    env: { DATA_DIR: dataDir, ENCRYPTION_KEYS: testEncryptionKey },
    open: () => Promise.reject(new DataDirInUseError(dataDir)),
  });
}

type Surroundings = Parameters<typeof runCommand>[1];

async function captured(
  words: string[],
  given: Omit<Surroundings, 'print' | 'write' | 'stderr'>,
  isTTY = false,
): Promise<Outcome> {
  let [stdout, stderr] = ['', ''];
  const code = await runCommand(words, {
    ...given,
    print(line) {
      stdout += `${line}\n`;
    },
    async write(text) {
      stdout += text;
    },
    stderr: {
      isTTY,
      write(text) {
        stderr += text;
      },
    },
  });
  return { code, stdout, stderr };
}
