// HTTP of an app's settings.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { actorOf, callerOf } from '../http/caller.js';
import { serializeSettings, updateSettings } from './settings.js';

export function appRoutes(deps: Deps) {
  return initServer().router(contract.apps, {
    getSettings: async ({ req }) => {
      // Read again: the guard's copy may be a few seconds old.
      const app = await deps.apps.fresh(callerOf(req).app.id);
      return { status: 200, body: { data: serializeSettings(app) } };
    },
    updateSettings: async ({ req, body }) => {
      const data = await updateSettings(deps, callerOf(req).app.id, body, actorOf(req));
      deps.apps.forget();
      return { status: 200, body: { data } };
    },
  });
}
