// HTTP of the daily statistics.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { callOf } from '../http/call.js';
import { ok } from '../http/data-answer.js';
import { dailyStats } from './daily-stats.js';

export function statsRoutes(deps: Deps) {
  return initServer().router(contract.stats, {
    daily: async ({ req, query }) => ok(await dailyStats(deps, callOf(req).app.id, query)),
  });
}
