// A database with an app, for a process of its own.
import { openDatabase } from '@foyer/prisma';
import { createTestPlace } from '@foyer/prisma/testing';
import { createApp } from '../src/apps/create-app.js';
import { readConfig } from '../src/env.js';
import { buildStoreDeps } from '../src/wiring.js';
import { testEncryptionKey } from './harness.js';

export async function placeWithApp() {
  const place = await createTestPlace();
  const config = readConfig({ ENCRYPTION_KEYS: testEncryptionKey });
  const { deps, close } = await buildStoreDeps(config, { database: await openDatabase(place) });
  const app = await createApp(deps, { name: 'Test' });
  await close();
  return { place, app };
}
