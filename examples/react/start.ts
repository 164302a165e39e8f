// Starts the app against a service started with `npm start`: reads the keys of its demo app, does what the app's team does
// once, and serves the page with hot reload.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAdmin, isFoyerError } from '@foyer/sdk/admin';
import { createServer } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const demoFile = join(
  process.env.DATA_DIR ?? fileURLToPath(new URL('../../.foyer', import.meta.url)),
  'demo.json',
);

const { FOYER_BASE_URL, FOYER_APP_KEY, FOYER_SECRET_KEY } = process.env;
const own =
  FOYER_APP_KEY && FOYER_SECRET_KEY
    ? {
        base_url: FOYER_BASE_URL ?? 'http://localhost:3000/api/v2',
        app_key: FOYER_APP_KEY,
        secret_key: FOYER_SECRET_KEY,
      }
    : null;
const keys = own ?? demoKeys();
const port = Number(process.env.PORT ?? 5173);

const admin = createAdmin({ baseUrl: keys.base_url, appKey: keys.app_key, secretKey: keys.secret_key });
try {
  await admin.collections.create({ name: 'notes', access_mode: 'owner', indexed_fields: [] });
} catch (error) {
  if (!isFoyerError(error, 'data/collection-exists')) throw error;
}

// Your app's team enters this in the dashboard.
if (!own) {
  const { passkeys } = await admin.settings.get();
  const origins = new Set([...(passkeys?.origins ?? []), `http://localhost:${port}`]);
  await admin.settings.update({
    passkeys: { rp_id: 'localhost', rp_name: 'Notes', origins: [...origins] },
    second_factor: 'optional',
  });
}

// The page receives the public key only.
process.env.VITE_FOYER_BASE_URL = keys.base_url;
process.env.VITE_FOYER_APP_KEY = keys.app_key;
const server = await createServer({ root, server: { port } });
await server.listen();
server.printUrls();

function demoKeys(): { base_url: string; app_key: string; secret_key: string } {
  try {
    const demo = JSON.parse(readFileSync(demoFile, 'utf8'));
    console.log(`Uses the demo app of ${demoFile}, at ${demo.base_url}.`);
    console.log('FOYER_APP_KEY and FOYER_SECRET_KEY, both, choose another app.');
    return demo;
  } catch (cause) {
    throw new Error(
      `${demoFile} cannot be read: run npm start first, or set FOYER_APP_KEY and FOYER_SECRET_KEY`,
      {
        cause,
      },
    );
  }
}
