// Queries on apps, their secrets and their secret keys.
import { rulesWithFactors } from '@foyer/contract';
import { type Db, Prisma, type PrismaClient, type Query, type Tx } from '@foyer/prisma';
import { type App, lockAppOf } from '../model/app.js';
import type { SecretKey, SecretKeyRow } from '../model/secret-key.js';
import { settingsOf } from './stored-settings.js';

const appColumns = {
  id: true,
  slug: true,
  name: true,
  appKey: true,
  enabled: true,
  accessTokenSeconds: true,
  tokenAlgorithm: true,
  allowedOrigins: true,
  rateLimitFactors: true,
  settings: true,
} satisfies Prisma.AppSelect;

type AppRow = Prisma.AppGetPayload<{ select: typeof appColumns }>;

function appOf(row: AppRow): App {
  const rateLimits = rulesWithFactors(row.rateLimitFactors as App['rateLimitFactors']);
  return { ...row, rateLimits, settings: settingsOf(row.settings) } as App;
}

export async function findApp(prisma: PrismaClient, where: Prisma.AppWhereUniqueInput): Promise<App | null> {
  const row = await prisma.app.findUnique({ where, select: appColumns });
  return row && appOf(row);
}

export async function listAppRows(prisma: PrismaClient): Promise<App[]> {
  return (await prisma.app.findMany({ select: appColumns, orderBy: { id: 'asc' } })).map(appOf);
}

export async function listAppIds(prisma: PrismaClient): Promise<string[]> {
  const rows = await prisma.app.findMany({ select: { id: true }, orderBy: { id: 'asc' } });
  return rows.map(({ id }) => id);
}

export async function insertApp(tx: Tx, { rateLimits: _, ...app }: App, now: Date): Promise<void> {
  const data = { ...app, createdAt: now, updatedAt: now };
  await tx.app.create({ data: data as Prisma.AppCreateInput });
}

/** Locks and reads an app that must exist. */
export async function lockApp(tx: Tx, id: string): Promise<App> {
  await tx.$executeRaw(lockAppOf(id));
  return appOf(await tx.app.findUniqueOrThrow({ where: { id }, select: appColumns }));
}

export async function updateAppRow(
  tx: Tx,
  id: string,
  change: Partial<Omit<App, 'id' | 'slug' | 'rateLimits'>> & { updatedAt: Date },
): Promise<void> {
  await tx.app.update({ where: { id }, data: change as Prisma.AppUpdateInput });
}

/** Every table with rows of an app, referencing tables first, the app itself last. */
export const appTables = [
  'team_members',
  'invitations',
  'push_receipts',
  'push_topics',
  'push_messages',
  'push_devices',
  'webhook_deliveries',
  'webhook_replays',
  'webhook_endpoints',
  'record_index',
  'records',
  'collections',
  'data_usage',
  'files',
  'loyalty_entries',
  'identities',
  'seen_id_tokens',
  'passkeys',
  'used_passkey_challenges',
  'second_factors',
  'user_notes',
  'user_exports',
  'codes',
  'v1_tokens',
  'sessions',
  'users',
  'account_purges',
  'events',
  'idempotency_keys',
  'v1_imports',
  'v2_usage',
  'daily_stats',
  'daily_active_users',
  'config_versions',
  'app_secrets',
  'secret_keys',
  'audit_log',
] as const;

const rowsPerStatement = 1_000;

/** Deletes a batch and returns its size. Audit entries about the app itself stay until they expire. */
export async function deleteRowsOfApp(
  query: Query,
  table: (typeof appTables)[number],
  appId: string,
): Promise<number> {
  const kept = table === 'audit_log' ? "AND target <> 'app:' || $1" : '';
  const [row] = await query<{ count: number }>({
    text: `WITH gone AS (DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${table} WHERE app_id = $1 ${kept} LIMIT ${rowsPerStatement})) AND app_id = $1 RETURNING 1)
      SELECT count(*)::int AS count FROM gone`,
    values: [appId],
  });
  return row?.count ?? 0;
}

/** The apps that have rows, also those that were deleted. Skips from app to app in the index. */
export async function listAppsWithRows(
  prisma: PrismaClient,
  table: (typeof appTables)[number],
): Promise<string[]> {
  const apps: string[] = [];
  for (;;) {
    const [row] = await prisma.$queryRaw<{ app_id: string }[]>`
      SELECT app_id FROM ${Prisma.raw(table)} WHERE app_id > ${apps.at(-1) ?? ''} ORDER BY app_id LIMIT 1`;
    if (!row) return apps;
    apps.push(row.app_id);
  }
}

export async function deleteAppRow(db: Db, id: string): Promise<void> {
  await db.app.deleteMany({ where: { id } });
}

export async function findAppSecret(db: Db, appId: string, name: string): Promise<Uint8Array | null> {
  const row = await db.appSecret.findUnique({ where: { appId_name: { appId, name } } });
  return row?.value ?? null;
}

export type AppSecretKey = { appId: string; name: string };

export type NamedSecret = { name: string; value: Uint8Array };

/** The secrets of an app that are encrypted with another key, after the last one. */
export function listSecretsOfOtherKeys(
  db: Db,
  appId: string,
  keyId: number,
  { last, maxRows }: { last: NamedSecret | null; maxRows: number },
): Promise<NamedSecret[]> {
  return db.$queryRaw`SELECT name, value FROM app_secrets WHERE app_id = ${appId} AND name > ${last?.name ?? ''}
    AND get_byte(value, 1) <> ${keyId}::int ORDER BY name LIMIT ${maxRows}::int`;
}

/** Returns 0 if the secret has been replaced or removed. */
export function replaceAppSecret(
  db: Db,
  { appId, name }: AppSecretKey,
  from: Uint8Array,
  to: Uint8Array,
): Promise<number> {
  return db.$executeRaw`UPDATE app_secrets SET value = ${to}::bytea
    WHERE app_id = ${appId} AND name = ${name} AND value = ${from}::bytea`;
}

/** Null removes the secret. */
export async function writeAppSecretRow(
  db: Db,
  { appId, name }: AppSecretKey,
  { value, now }: { value: Uint8Array | null; now: Date },
): Promise<void> {
  if (value === null) {
    await db.appSecret.deleteMany({ where: { appId, name } });
    return;
  }
  const change = { value: new Uint8Array(value), updatedAt: now };
  await db.appSecret.upsert({
    where: { appId_name: { appId, name } },
    create: { appId, name, ...change },
    update: change,
  });
}

const keyColumns = {
  id: true,
  name: true,
  lastFour: true,
  scopes: true,
  createdAt: true,
  lastUsedAt: true,
  expiresAt: true,
  revokedAt: true,
} satisfies Prisma.SecretKeySelect;

export async function insertSecretKey(tx: Tx, appId: string, key: SecretKey, keyHash: Buffer): Promise<void> {
  await tx.secretKey.create({ data: { ...key, appId, keyHash: new Uint8Array(keyHash) } });
}

/** Newest first. */
export function listSecretKeyRows(
  db: Db,
  appId: string,
  { before, maxRows }: { before?: string | undefined; maxRows?: number } = {},
): Promise<SecretKey[]> {
  return db.secretKey.findMany({
    where: { appId, ...(before !== undefined && { id: { lt: before } }) },
    select: keyColumns,
    orderBy: { id: 'desc' },
    ...(maxRows !== undefined && { take: maxRows }),
  });
}

/** Lists the keys that are neither revoked nor expired: at most `limits.secretKeysPerApp`, however many there were. */
export function listActiveSecretKeyRows(db: Db, appId: string, now: Date): Promise<SecretKey[]> {
  return db.secretKey.findMany({
    where: whereActive(appId, now),
    select: keyColumns,
    orderBy: { id: 'desc' },
  });
}

export function countActiveSecretKeys(db: Db, appId: string, now: Date): Promise<number> {
  return db.secretKey.count({ where: whereActive(appId, now) });
}

function whereActive(appId: string, now: Date) {
  return { appId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] };
}

export type Revocation = 'revoked' | 'was revoked' | 'unknown';

export async function revokeSecretKeyRow(tx: Tx, appId: string, id: string, now: Date): Promise<Revocation> {
  const { count } = await tx.secretKey.updateMany({
    where: { appId, id, revokedAt: null },
    data: { revokedAt: now },
  });
  if (count === 1) return 'revoked';
  return (await tx.secretKey.count({ where: { appId, id } })) === 1 ? 'was revoked' : 'unknown';
}

/** The secret key with this hash, valid or not. */
export function findSecretKey(db: Db, appId: string, keyHash: Buffer): Promise<SecretKeyRow | null> {
  return db.secretKey.findUnique({
    where: { appId_keyHash: { appId, keyHash: new Uint8Array(keyHash) } },
    select: { id: true, scopes: true, lastUsedAt: true, expiresAt: true, revokedAt: true },
  });
}

export async function recordSecretKeyUse(db: Db, appId: string, id: string, now: Date): Promise<void> {
  await db.secretKey.updateMany({ where: { appId, id }, data: { lastUsedAt: now } });
}

/** Takes the app's next numeric id of v1. */
export async function takeV1Id(tx: Tx, appId: string): Promise<number> {
  const [row] = await tx.$queryRaw<[{ id: number }]>`UPDATE apps SET last_v1_id = last_v1_id + 1
    WHERE id = ${appId} RETURNING last_v1_id AS id`;
  return row.id;
}

/** Reserves the numeric ids of v1 up to this one; returns the highest that is taken or reserved. */
export async function raiseLastV1Id(tx: Tx, appId: string, atLeast: number): Promise<number> {
  const [row] = await tx.$queryRaw<[{ id: number }]>`UPDATE apps
    SET last_v1_id = GREATEST(last_v1_id, ${atLeast}::int) WHERE id = ${appId} RETURNING last_v1_id AS id`;
  return row.id;
}
