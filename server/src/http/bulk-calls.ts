// Limits how many lists and imports of one backend run at a time. A page may have 500 users, an import 1,000: without the
// limit, sixty parallel calls of one app would take every database connection, and delay the calls of all other apps.
import { bulkOf, limits } from '@foyer/contract';
import type { AppRoute, AppRouter } from '@ts-rest/core';
import { type Acquire, concurrencyLimit } from '../lib/concurrency-limit.js';
import { callerOf } from './caller.js';
import { type Handler, wrapHandlers } from './wrap-handlers.js';

type BulkLimits = { read: Acquire; write: Acquire };

/** The embedded database has a single connection. */
export function bulkLimits(kind: 'embedded' | 'postgresql'): BulkLimits {
  const code = 'request/unavailable';
  return {
    read: concurrencyLimit({ concurrent: kind === 'embedded' ? 1 : 2, waiting: 100, code }),
    // Imports of one app wait for each other anyway; they must not hold a connection meanwhile.
    write: concurrencyLimit({ concurrent: 1, waiting: 100, code }),
  };
}

/** Wraps the handlers of all routes that may read or write many rows. */
export function withBulkLimits<Routers extends object>(
  acquire: BulkLimits,
  routes: AppRouter,
  routers: Routers,
): Routers {
  return wrapHandlers(routes, routers, (route, handler) => limited(acquire, route, handler));
}

function limited(acquire: BulkLimits, route: AppRoute, handler: Handler): Handler {
  const bulk = bulkOf(route);
  if (!bulk) return handler;
  return async (call) => {
    const release = await acquire[bulk](callerOf(call.req).app.id, limits.bulkWaitSeconds * 1_000);
    try {
      return await handler(call);
    } finally {
      release();
    }
  };
}
