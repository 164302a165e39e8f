// Routes of webhooks, their deliveries, and the list of events.
import { contract, type WebhookDelivery } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { listEvents } from '../events/list-events.js';
import { actorOf, callerOf } from '../http/caller.js';
import { accepted, created, noContent, ok } from '../http/data-answer.js';
import { storeResponse } from '../idempotency/idempotency-key.js';
import { listDeliveries, readDelivery } from './deliveries/read-deliveries.js';
import { type Replay, replayEvents, retryDelivery } from './deliveries/replay.js';
import { testWebhook } from './deliveries/test-webhook.js';
import { createWebhook, type WebhookWithSecret } from './endpoints/create-webhook.js';
import { findWebhook, listWebhooks } from './endpoints/list-webhooks.js';
import { rotateSecret } from './endpoints/rotate-secret.js';
import { deleteWebhook, updateWebhook } from './endpoints/update-webhook.js';
import { serializeWebhook } from './endpoints/webhook.js';

export function webhookRoutes(deps: Deps) {
  return initServer().router(contract.webhooks, {
    list: async ({ req, query }) => ok(await listWebhooks(deps, callerOf(req).app.id, query)),
    create: async ({ req, body }) => {
      const store = storeResponse(req, created<WebhookWithSecret>);
      return created(await createWebhook(deps, callerOf(req).app.id, body, actorOf(req), store));
    },
    get: async ({ req, params }) =>
      ok(serializeWebhook(await findWebhook(deps, idsOf(req, params)), deps.clock.now())),
    update: async ({ req, params, body }) =>
      ok(await updateWebhook(deps, idsOf(req, params), body, actorOf(req))),
    delete: async ({ req, params }) => {
      await deleteWebhook(deps, idsOf(req, params), actorOf(req));
      return noContent;
    },
    rotateSecret: async ({ req, params }) => {
      const store = storeResponse(req, ok<WebhookWithSecret>);
      return ok(await rotateSecret(deps, idsOf(req, params), actorOf(req), store));
    },
    test: async ({ req, params }) => ok(await testWebhook(deps, idsOf(req, params), actorOf(req))),
    listDeliveries: async ({ req, params, query }) =>
      ok(await listDeliveries(deps, idsOf(req, params), query)),
    getDelivery: async ({ req, params }) =>
      ok(await readDelivery(deps, idsOf(req, params), params.delivery_id)),
    retryDelivery: async ({ req, params }) => {
      const store = storeResponse(req, accepted<WebhookDelivery>);
      return accepted(await retryDelivery(deps, idsOf(req, params), params.delivery_id, actorOf(req), store));
    },
    replay: async ({ req, params, body }) => {
      const store = storeResponse(req, accepted<Replay>);
      return accepted(await replayEvents(deps, idsOf(req, params), body, actorOf(req), store));
    },
    listEvents: async ({ req, query }) => ok(await listEvents(deps, callerOf(req).app.id, query)),
  });
}

function idsOf(req: Parameters<typeof callerOf>[0], { id }: { id: string }) {
  return { appId: callerOf(req).app.id, id };
}
