/// <reference path="./fs-native-extensions.d.ts" />
// A data directory has one owner at a time: the kernel holds the lock and releases it when the process ends for any
// reason.
import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeDirectory } from './make-directory.js';

export class DataDirInUseError extends Error {
  override name = 'DataDirInUseError';
  constructor(readonly dataDir: string) {
    super(
      `The data directory ${dataDir} is in use by another process. Stop that process first, or give this one another ` +
        'directory with DATA_DIR; to run several at once, use PostgreSQL (DATABASE_URL).',
    );
  }
}

/** Takes the directory, or throws `DataDirInUseError`. Returns the function that releases it. */
export async function ownDataDir(dataDir: string): Promise<() => Promise<void>> {
  // Loaded here, since PostgreSQL needs no native code.
  const { tryLock } = await import('fs-native-extensions');
  await makeDirectory(dataDir, 0o700);
  const file = await open(join(dataDir, 'lock'), 'a+', 0o600);
  if (!tryLock(file.fd)) {
    await file.close();
    throw new DataDirInUseError(resolve(dataDir));
  }
  return () => file.close();
}
