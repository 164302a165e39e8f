// HTTP of an app's secret keys.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { callOf } from '../http/call.js';
import { created, noContent, ok } from '../http/data-answer.js';
import { storeResponse } from '../idempotency/idempotency-key.js';
import {
  type CreatedSecretKey,
  createSecretKey,
  listSecretKeyPage,
  revokeActiveSecretKey,
  serializeSecretKey,
} from './secret-keys.js';

export function keyRoutes(deps: Deps) {
  return initServer().router(contract.keys, {
    list: async ({ req, query }) => ok(await listSecretKeyPage(deps, callOf(req).app.id, query)),
    create: async ({ req, body }) => {
      const { name, scopes, expires_at } = body;
      const draft = { name, scopes, expiresAt: expires_at === null ? null : new Date(expires_at) };
      const store = storeResponse(req, createdKey);
      return createdKey(await createSecretKey(deps, callOf(req), draft, store));
    },
    revoke: async ({ req, params }) => {
      await revokeActiveSecretKey(deps, callOf(req), params.id);
      return noContent;
    },
  });
}

function createdKey({ key, secretKey }: CreatedSecretKey) {
  return created({ ...serializeSecretKey(key), secret_key: secretKey });
}
