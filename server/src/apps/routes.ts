// HTTP of an app's settings and of its secret keys.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { actorOf, callerOf } from '../http/caller.js';
import { created, noContent, ok } from '../http/data-answer.js';
import { ApiError } from '../lib/api-error.js';
import { createSecretKey, listSecretKeyPage, revokeSecretKey, serializeSecretKey } from './secret-keys.js';
import { requireMayChange, serializeSettings, updateSettings } from './settings.js';

export function appRoutes(deps: Deps) {
  return initServer().router(contract.apps, {
    getSettings: async ({ req }) => {
      // Read again: the guard's copy may be a few seconds old.
      return ok(serializeSettings(await deps.apps.fresh(callerOf(req).app.id)));
    },
    updateSettings: async ({ req, body }) => {
      const { app, member } = callerOf(req);
      await requireMayChange(deps, body, member);
      const settings = await updateSettings(deps, app.id, body, actorOf(req));
      deps.apps.forget();
      return ok(settings);
    },
  });
}

export function keyRoutes(deps: Deps) {
  return initServer().router(contract.keys, {
    list: async ({ req, query }) => ok(await listSecretKeyPage(deps, callerOf(req).app.id, query)),
    create: async ({ req, body }) => {
      const { name, scopes, expires_at } = body;
      const draft = { name, scopes, expiresAt: expires_at === null ? null : new Date(expires_at) };
      const { key, secretKey } = await createSecretKey(deps, callerOf(req).app.id, draft, actorOf(req));
      return created({ ...serializeSecretKey(key), secret_key: secretKey });
    },
    revoke: async ({ req, params }) => {
      const found = await revokeSecretKey(deps, callerOf(req).app.id, params.id, actorOf(req));
      if (found !== 'revoked') throw new ApiError('admin/secret-key-not-found');
      return noContent;
    },
  });
}
