// Creates an app with its first remote config: on the command line with a first secret key, which is returned once and
// stored as its SHA-256; by a team member without one.
import { secretKeyScopes } from '@foyer/contract';
import { type Tx, uniqueViolation } from '@foyer/prisma';
import { change } from '../change.js';
import type { Deps } from '../deps.js';
import { type Actor, commandLine } from '../model/actor.js';
import { type App, isConsole, type MoreSettings, type TokenAlgorithm } from '../model/app.js';
import { writeFirstVersion } from '../remote-config/version-row.js';
import { ensureSigningKeys } from '../tokens/rotate-signing-keys.js';
import { defaultSettings } from './default-settings.js';
import { buildSecretKey } from './secret-keys.js';
import { findApp, insertApp, insertSecretKey, listAppRows } from './store.js';

export type NewApp = { app: App; secretKey: string };

export type AppDraft = {
  name: string;
  slug?: string | undefined;
  tokenAlgorithm?: TokenAlgorithm | undefined;
  accessTokenSeconds?: number | undefined;
  /** The settings that differ from the default. */
  settings?: Partial<MoreSettings>;
};

type CreateDeps = Pick<Deps, 'prisma' | 'clock' | 'random' | 'keyRing'>;

/** Creates an app on the command line, with a first secret key. */
export async function createApp(deps: CreateDeps, draft: AppDraft): Promise<NewApp> {
  const keyDraft = { name: 'first key', scopes: [...secretKeyScopes], expiresAt: null };
  const { key, keyHash, secretKey } = buildSecretKey(deps, keyDraft, deps.clock.now());
  const store: StoreWithApp = (tx, app) => insertSecretKey(tx, app.id, key, keyHash);
  const created = await createAppWithoutKey(
    deps,
    { ...draft, details: { secret_key: key.id } },
    commandLine,
    store,
  );
  if (!created) throw new Error(`an app with the slug ${draft.slug} already exists`);
  return { app: created.app, secretKey };
}

/** Runs in the transaction that creates the app. */
type StoreWithApp = (tx: Tx, app: App, createdAt: Date) => Promise<void>;

/** Returns null if another app has the slug. */
export async function createAppWithoutKey(
  deps: CreateDeps,
  { details = {}, ...draft }: AppDraft & { details?: Record<string, unknown> },
  actor: Actor,
  store?: StoreWithApp,
): Promise<{ app: App; createdAt: Date } | null> {
  const createdAt = deps.clock.now();
  const app = buildApp(deps, draft, createdAt);
  await ensureSigningKeys(deps, app.tokenAlgorithm);
  try {
    await change(deps, { app, actor }, async (tx, record) => {
      await insertApp(tx, app, createdAt);
      await writeFirstVersion(tx, app.id, createdAt);
      await record.audit({ action: 'app.created', target: `app:${app.id}`, details });
      await store?.(tx, app, createdAt);
    });
  } catch (error) {
    if (uniqueViolation(error) === 'apps_slug_key') return null;
    throw error;
  }
  return { app, createdAt };
}

function buildApp(deps: Pick<Deps, 'random'>, draft: AppDraft, now: Date): App {
  const id = deps.random.ulid(now);
  return {
    id,
    slug: draft.slug ?? slugOf(draft.name, id),
    name: draft.name,
    appKey: `pk_${deps.random.bytes(18).toString('base64url')}`,
    enabled: true,
    accessTokenSeconds: draft.accessTokenSeconds ?? 3_600,
    tokenAlgorithm: draft.tokenAlgorithm ?? 'ES256',
    allowedOrigins: [],
    rateLimitFactors: {},
    rateLimits: {},
    settings: { ...defaultSettings(), ...draft.settings },
  };
}

/** Finds an app by its id, or by its slug, which has no capital letters. */
export async function findAppNamed({ prisma }: Pick<Deps, 'prisma'>, name: string): Promise<App | null> {
  return (await findApp(prisma, { id: name })) ?? findApp(prisma, { slug: name });
}

/** Lists the apps, without the reserved app `console`. */
export async function listApps(deps: Pick<Deps, 'prisma'>): Promise<App[]> {
  return (await listAppRows(deps.prisma)).filter((app) => !isConsole(app));
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
