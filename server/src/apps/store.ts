// Queries on apps, their secrets and their secret keys.
import type { Prisma, PrismaClient } from '@foyer/prisma';
import type { App, MoreSettings } from './app.js';
import { defaultSettings } from './default-settings.js';

type Db = PrismaClient | Prisma.TransactionClient;

const appColumns = {
  id: true,
  slug: true,
  name: true,
  appKey: true,
  enabled: true,
  accessTokenSeconds: true,
  tokenAlgorithm: true,
  allowedOrigins: true,
  rateLimits: true,
  settings: true,
} satisfies Prisma.AppSelect;

type AppRow = Prisma.AppGetPayload<{ select: typeof appColumns }>;

function appOf(row: AppRow): App {
  const stored = row.settings as Partial<MoreSettings>;
  return { ...row, settings: { ...defaultSettings(), ...stored } } as App;
}

export async function findAppByKey(prisma: PrismaClient, appKey: string): Promise<App | null> {
  const row = await prisma.app.findUnique({ where: { appKey }, select: appColumns });
  return row && appOf(row);
}

export async function findAppById(prisma: PrismaClient, id: string): Promise<App | null> {
  const row = await prisma.app.findUnique({ where: { id }, select: appColumns });
  return row && appOf(row);
}

export async function listAppRows(prisma: PrismaClient): Promise<App[]> {
  return (await prisma.app.findMany({ select: appColumns, orderBy: { id: 'asc' } })).map(appOf);
}

export async function insertApp(
  prisma: PrismaClient,
  app: App,
  secretKey: { id: string; name: string; keyHash: Buffer; lastFour: string; scopes: string[] },
  now: Date,
): Promise<void> {
  await prisma.app.create({
    data: {
      ...app,
      rateLimits: app.rateLimits as Prisma.InputJsonValue,
      settings: app.settings as Prisma.InputJsonValue,
      createdAt: now,
      updatedAt: now,
      secretKeys: { create: { ...secretKey, keyHash: new Uint8Array(secretKey.keyHash), createdAt: now } },
    },
  });
}

/** The app, locked until the transaction ends. */
export async function lockApp(tx: Prisma.TransactionClient, id: string): Promise<App> {
  await tx.$queryRaw`SELECT id FROM apps WHERE id = ${id} FOR UPDATE`;
  return appOf(await tx.app.findUniqueOrThrow({ where: { id }, select: appColumns }));
}

export type AppChange = Pick<
  App,
  'accessTokenSeconds' | 'tokenAlgorithm' | 'allowedOrigins' | 'rateLimits' | 'settings'
> & {
  updatedAt: Date;
};

export async function updateAppRow(
  tx: Prisma.TransactionClient,
  id: string,
  change: AppChange,
): Promise<void> {
  const rateLimits = change.rateLimits as Prisma.InputJsonValue;
  const settings = change.settings as Prisma.InputJsonValue;
  await tx.app.update({ where: { id }, data: { ...change, rateLimits, settings } });
}

export async function findAppSecret(db: Db, appId: string, name: string): Promise<Uint8Array | null> {
  const row = await db.appSecret.findUnique({ where: { appId_name: { appId, name } } });
  return row?.value ?? null;
}

export function listAppSecrets(db: Db) {
  return db.appSecret.findMany({ select: { appId: true, name: true, value: true } });
}

/** Null removes the secret. */
export async function writeAppSecretRow(
  db: Db,
  appId: string,
  name: string,
  encrypted: Uint8Array | null,
  now: Date,
): Promise<void> {
  if (encrypted === null) {
    await db.appSecret.deleteMany({ where: { appId, name } });
    return;
  }
  const change = { value: new Uint8Array(encrypted), updatedAt: now };
  await db.appSecret.upsert({
    where: { appId_name: { appId, name } },
    create: { appId, name, ...change },
    update: change,
  });
}

export type SecretKeyRow = { id: string; scopes: string[]; lastUsedAt: Date | null };

/** The live secret key of an app with this hash. */
export function findSecretKey(
  db: Db,
  appId: string,
  keyHash: Buffer,
  now: Date,
): Promise<SecretKeyRow | null> {
  return db.secretKey.findFirst({
    where: {
      appId,
      keyHash: new Uint8Array(keyHash),
      revokedAt: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
    },
    select: { id: true, scopes: true, lastUsedAt: true },
  });
}

export async function noteSecretKeyUse(db: Db, appId: string, id: string, now: Date): Promise<void> {
  await db.secretKey.updateMany({ where: { appId, id }, data: { lastUsedAt: now } });
}
