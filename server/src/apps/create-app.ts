// Makes an app with its first secret key. The secret key is returned once, and stored as its SHA-256.
import { secretKeyScopes } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { sha256 } from '../lib/digest.js';
import { ensureSigningKeys } from '../tokens/signing-keys.js';
import type { App, TokenAlgorithm } from './app.js';
import { defaultSettings } from './default-settings.js';
import { insertApp, listAppRows } from './store.js';

export type NewApp = { app: App; secretKey: string };

export async function createApp(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random' | 'keyRing'>,
  input: { name: string; slug?: string; tokenAlgorithm?: TokenAlgorithm; accessTokenSeconds?: number },
): Promise<NewApp> {
  const now = deps.clock.now();
  const id = deps.random.ulid(now);
  const secretKey = `sk_${deps.random.bytes(32).toString('base64url')}`;
  const app: App = {
    id,
    slug: input.slug ?? slugOf(input.name, id),
    name: input.name,
    appKey: `pk_${deps.random.bytes(18).toString('base64url')}`,
    enabled: true,
    accessTokenSeconds: input.accessTokenSeconds ?? 3_600,
    tokenAlgorithm: input.tokenAlgorithm ?? 'ES256',
    allowedOrigins: [],
    rateLimits: {},
    settings: defaultSettings(),
  };
  await ensureSigningKeys(deps, app.tokenAlgorithm);
  const firstKey = {
    id: deps.random.ulid(now),
    name: 'first key',
    keyHash: sha256(secretKey),
    lastFour: secretKey.slice(-4),
    scopes: [...secretKeyScopes],
  };
  await insertApp(deps.prisma, app, firstKey, now);
  return { app, secretKey };
}

export function listApps(deps: Pick<Deps, 'prisma'>): Promise<App[]> {
  return listAppRows(deps.prisma);
}

/** Unique without a query: the end of the id follows the readable part. */
function slugOf(name: string, id: string): string {
  const readable = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  return [readable, id.slice(-6).toLowerCase()].filter(Boolean).join('-');
}
