// Finds the app of an app key. Each request needs it, so the result is cached for a few seconds; unknown keys are never
// cached, so that a new app works at once.
import type { PrismaClient } from '@foyer/prisma';
import type { AppDirectory } from '../deps.js';
import type { Clock } from '../lib/clock.js';
import type { App } from '../model/app.js';
import { findAppById, findAppByKey } from './store.js';

const keptMilliseconds = 5_000;
const appsKept = 1_000;

/** Awaits `whenRead` for each app that is read from the database. */
export function appDirectory(
  prisma: PrismaClient,
  clock: Clock,
  whenRead: (app: App) => Promise<void>,
): AppDirectory {
  const kept = new Map<string, { app: App; readAt: number }>();

  function cached(appKey: string): App | null {
    const now = clock.now().getTime();
    const known = kept.get(appKey);
    // A time in the future means that the clock has stepped back, so the age is unknown.
    return known && known.readAt <= now && now < known.readAt + keptMilliseconds ? known.app : null;
  }

  return {
    cached,
    async byKey(appKey) {
      const known = cached(appKey);
      if (known) return known;
      const now = clock.now().getTime();
      const app = await findAppByKey(prisma, appKey);
      if (app) await whenRead(app);
      if (kept.size >= appsKept) kept.clear();
      if (app) kept.set(appKey, { app, readAt: now });
      else kept.delete(appKey);
      return app;
    },
    byId: (id) => findAppById(prisma, id),
    async fresh(id) {
      const app = await findAppById(prisma, id);
      if (!app) throw new Error(`the app ${id} is gone`);
      return app;
    },
    forget: () => kept.clear(),
  };
}
