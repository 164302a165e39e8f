// Creates an app with its first secret key, which is returned once and stored as its SHA-256, and its first remote config.
import { secretKeyScopes } from '@foyer/contract';
import { writeAuditEntry } from '../audit/entry.js';
import type { Deps } from '../deps.js';
import { type Actor, commandLine } from '../model/actor.js';
import type { App, TokenAlgorithm } from '../model/app.js';
import { writeFirstVersion } from '../remote-config/write-version.js';
import { ensureSigningKeys } from '../tokens/rotate-signing-keys.js';
import { defaultSettings } from './default-settings.js';
import { buildSecretKey } from './secret-keys.js';
import { insertApp, insertSecretKey, listAppRows } from './store.js';

export type NewApp = { app: App; secretKey: string };

export async function createApp(
  deps: Pick<Deps, 'prisma' | 'clock' | 'random' | 'keyRing'>,
  input: { name: string; slug?: string; tokenAlgorithm?: TokenAlgorithm; accessTokenSeconds?: number },
  actor: Actor = commandLine,
): Promise<NewApp> {
  const now = deps.clock.now();
  const id = deps.random.ulid(now);
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
  const draft = { name: 'first key', scopes: [...secretKeyScopes], expiresAt: null };
  const { key, keyHash, secretKey } = buildSecretKey(deps, draft, now);
  await deps.prisma.$transaction(async (tx) => {
    await insertApp(tx, app, now);
    await insertSecretKey(tx, id, key, keyHash);
    await writeFirstVersion(tx, id, now);
    await writeAuditEntry(tx, deps, {
      appId: id,
      actor,
      action: 'app.created',
      target: `app:${id}`,
      details: { secret_key: key.id },
    });
  });
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
