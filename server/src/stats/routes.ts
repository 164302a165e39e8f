// HTTP of the daily statistics.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { callerOf } from '../http/caller.js';
import { ok } from '../http/data-answer.js';
import { dailyStats } from './daily-stats.js';

export function statsRoutes(deps: Deps) {
  return initServer().router(contract.stats, {
    daily: async ({ req, query }) => ok({ days: await dailyStats(deps, callerOf(req).app.id, query) }),
  });
}
