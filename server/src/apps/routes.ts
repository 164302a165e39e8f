// HTTP of an app's settings and of its secret keys.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { actorOf, callerOf } from '../http/caller.js';
import { created, noContent, ok } from '../http/data-answer.js';
import { storeResponse } from '../idempotency/idempotency-key.js';
import {
  type CreatedSecretKey,
  createSecretKey,
  listSecretKeyPage,
  revokeActiveSecretKey,
  serializeSecretKey,
} from './secret-keys.js';
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
      const store = storeResponse(req, createdKey);
      return createdKey(await createSecretKey(deps, callerOf(req).app.id, draft, actorOf(req), store));
    },
    revoke: async ({ req, params }) => {
      await revokeActiveSecretKey(deps, callerOf(req).app.id, params.id, actorOf(req));
      return noContent;
    },
  });
}

function createdKey({ key, secretKey }: CreatedSecretKey) {
  return created({ ...serializeSecretKey(key), secret_key: secretKey });
}
