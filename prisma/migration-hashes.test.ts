import { expect, test } from 'vitest';
import { hashLine, readHashes } from './migration-hashes.js';
import { readMigrations } from './src/migration-files.js';

test('every migration is as it was committed: a change of a released one belongs into a new one', async () => {
  // After editing a migration that is not released: npm run migration -w @foyer/prisma -- --hash
  expect((await readMigrations()).map(hashLine)).toEqual(await readHashes());
});
