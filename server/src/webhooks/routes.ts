// Routes of webhooks, their deliveries, and the list of events.
import { contract, type WebhookDelivery } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { listEvents } from '../events/list-events.js';
import { actorOf, callerOf } from '../http/caller.js';
import { storeResponse } from '../idempotency/idempotency-key.js';
import { listDeliveries } from './deliveries/list-deliveries.js';
import { readDelivery } from './deliveries/read-delivery.js';
import { type Replay, replayEvents, retryDelivery } from './deliveries/replay.js';
import { testWebhook } from './deliveries/test-webhook.js';
import { createWebhook, type WebhookWithSecret } from './endpoints/create-webhook.js';
import { findWebhook, listWebhooks } from './endpoints/list-webhooks.js';
import { rotateSecret } from './endpoints/rotate-secret.js';
import { deleteWebhook, updateWebhook } from './endpoints/update-webhook.js';
import { serializeWebhook } from './endpoints/webhook.js';

export function webhookRoutes(deps: Deps) {
  return initServer().router(contract.webhooks, {
    list: async ({ req, query }) => ({
      status: 200,
      body: { data: await listWebhooks(deps, callerOf(req).app.id, query) },
    }),
    create: async ({ req, body }) => {
      const store = storeResponse(req, created);
      return created(await createWebhook(deps, callerOf(req).app.id, body, actorOf(req), store));
    },
    get: async ({ req, params }) => {
      const row = await findWebhook(deps, { appId: callerOf(req).app.id, id: params.id });
      return { status: 200, body: { data: serializeWebhook(row, deps.clock.now()) } };
    },
    update: async ({ req, params, body }) => {
      const ids = { appId: callerOf(req).app.id, id: params.id };
      return { status: 200, body: { data: await updateWebhook(deps, ids, body, actorOf(req)) } };
    },
    delete: async ({ req, params }) => {
      await deleteWebhook(deps, { appId: callerOf(req).app.id, id: params.id }, actorOf(req));
      return { status: 204, body: undefined };
    },
    rotateSecret: async ({ req, params }) => {
      const ids = { appId: callerOf(req).app.id, id: params.id };
      return rotated(await rotateSecret(deps, ids, actorOf(req), storeResponse(req, rotated)));
    },
    test: async ({ req, params }) => ({
      status: 200,
      body: { data: await testWebhook(deps, { appId: callerOf(req).app.id, id: params.id }, actorOf(req)) },
    }),
    listDeliveries: async ({ req, params, query }) => {
      const ids = { appId: callerOf(req).app.id, id: params.id };
      return { status: 200, body: { data: await listDeliveries(deps, ids, query) } };
    },
    getDelivery: async ({ req, params }) => {
      const ids = { appId: callerOf(req).app.id, id: params.id };
      return { status: 200, body: { data: await readDelivery(deps, ids, params.delivery_id) } };
    },
    retryDelivery: async ({ req, params }) => {
      const ids = { appId: callerOf(req).app.id, id: params.id };
      const store = storeResponse(req, accepted<WebhookDelivery>);
      return accepted(await retryDelivery(deps, ids, params.delivery_id, actorOf(req), store));
    },
    replay: async ({ req, params, body }) => {
      const ids = { appId: callerOf(req).app.id, id: params.id };
      const store = storeResponse(req, accepted<Replay>);
      return accepted(await replayEvents(deps, ids, body, actorOf(req), store));
    },
    listEvents: async ({ req, query }) => ({
      status: 200,
      body: { data: await listEvents(deps, callerOf(req).app.id, query) },
    }),
  });
}

function created(data: WebhookWithSecret) {
  return { status: 201 as const, body: { data } };
}

function rotated(data: WebhookWithSecret) {
  return { status: 200 as const, body: { data } };
}

function accepted<Data>(data: Data) {
  return { status: 202 as const, body: { data } };
}
