// Queries on apps and their secret keys.
import type { Prisma, PrismaClient } from '@foyer/prisma';
import type { App } from './app.js';

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
} satisfies Prisma.AppSelect;

export async function findAppByKey(prisma: PrismaClient, appKey: string): Promise<App | null> {
  return (await prisma.app.findUnique({ where: { appKey }, select: appColumns })) as App | null;
}

export async function findAppById(prisma: PrismaClient, id: string): Promise<App | null> {
  return (await prisma.app.findUnique({ where: { id }, select: appColumns })) as App | null;
}

export async function listAppRows(prisma: PrismaClient): Promise<App[]> {
  return (await prisma.app.findMany({ select: appColumns, orderBy: { id: 'asc' } })) as App[];
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
      createdAt: now,
      updatedAt: now,
      secretKeys: { create: { ...secretKey, keyHash: new Uint8Array(secretKey.keyHash), createdAt: now } },
    },
  });
}
