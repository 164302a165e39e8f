// Finds the app of an app key. Each request needs it, so the result is cached for a few seconds; unknown keys are never
// cached, so that a new app works at once.
import type { PrismaClient } from '@foyer/prisma';
import type { AppDirectory } from '../deps.js';
import type { Clock } from '../lib/clock.js';
import { type App, consoleSlug } from '../model/app.js';
import { findApp } from './store.js';

/** The least recently used first. */
type AppsByKey = Map<string, { app: App; readAt: number }>;

const cachedMilliseconds = 5_000;
const maxCached = 1_000;

/** Awaits `whenRead` for each app that is read from the database. */
export function appDirectory(
  prisma: PrismaClient,
  clock: Clock,
  whenRead: (app: App) => Promise<void>,
): AppDirectory {
  let appsByKey: AppsByKey = new Map();
  let consoleApp: App | null = null;

  function cached(appKey: string): App | null {
    const now = clock.now().getTime();
    const known = appsByKey.get(appKey);
    // A time in the future means that the clock has stepped back, so the age is unknown.
    if (!known || known.readAt > now || now >= known.readAt + cachedMilliseconds) return null;
    remember(appsByKey, appKey, known);
    return known.app;
  }

  return {
    cached,
    async byKey(appKey) {
      const known = cached(appKey);
      if (known) return known;
      const now = clock.now().getTime();
      // Another map after a change meanwhile: what was read before the change is not cached.
      const apps = appsByKey;
      const app = await findApp(prisma, { appKey });
      if (app) await whenRead(app);
      if (app) remember(apps, appKey, { app, readAt: now });
      else apps.delete(appKey);
      return app;
    },
    byId: (id) => findApp(prisma, { id }),
    async fresh(id) {
      const app = await findApp(prisma, { id });
      if (!app) throw new Error(`the app ${id} is gone`);
      return app;
    },
    async console() {
      consoleApp ??= await findApp(prisma, { slug: consoleSlug });
      if (!consoleApp) throw new Error('the app `console` is missing');
      return consoleApp;
    },
    forget() {
      appsByKey = new Map();
    },
  };
}

function remember(apps: AppsByKey, appKey: string, known: { app: App; readAt: number }): void {
  apps.delete(appKey);
  apps.set(appKey, known);
  if (apps.size > maxCached) apps.delete(apps.keys().next().value as string);
}
