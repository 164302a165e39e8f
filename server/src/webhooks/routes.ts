// Routes of webhooks, their deliveries, and the list of events.
import { contract, isAuditType, type WebhookDelivery } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../deps.js';
import { listEvents } from '../events/list-events.js';
import { callOf, requireCall } from '../http/call.js';
import { accepted, created, noContent, ok } from '../http/data-answer.js';
import { requireRecentMember, requireScope } from '../http/demands.js';
import { storeResponse } from '../idempotency/idempotency-key.js';
import type { Call } from '../model/call.js';
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
    list: async ({ req, query }) => ok(await listWebhooks(deps, callOf(req).app.id, query)),
    create: async ({ req, body }) => {
      requireMaySubscribe(deps, callOf(req), body.types);
      const store = storeResponse(req, created<WebhookWithSecret>);
      return created(await createWebhook(deps, callOf(req), body, store));
    },
    get: async ({ req, params }) =>
      ok(serializeWebhook(await findWebhook(deps, idsOf(req, params)), deps.clock.now())),
    update: async ({ req, params, body }) => {
      await requireMayRedirect(deps, callOf(req), params.id, body);
      return ok(await updateWebhook(deps, callOf(req), params.id, body));
    },
    delete: async ({ req, params }) => {
      await deleteWebhook(deps, callOf(req), params.id);
      return noContent;
    },
    rotateSecret: async ({ req, params }) => {
      const store = storeResponse(req, ok<WebhookWithSecret>);
      return ok(await rotateSecret(deps, callOf(req), params.id, store));
    },
    test: async ({ req, params }) => ok(await testWebhook(deps, callOf(req), params.id)),
    listDeliveries: async ({ req, params, query }) =>
      ok(await listDeliveries(deps, idsOf(req, params), query)),
    getDelivery: async ({ req, params }) => {
      const delivery = await readDelivery(deps, idsOf(req, params), params.delivery_id);
      if (isAuditType(delivery.event_type)) requireScope(deps, callOf(req), 'audit:read', ['delivery_id']);
      return ok(delivery);
    },
    retryDelivery: async ({ req, params }) => {
      const store = storeResponse(req, accepted<WebhookDelivery>);
      const ids = { webhookId: params.id, id: params.delivery_id };
      return accepted(await retryDelivery(deps, callOf(req), ids, store));
    },
    replay: async ({ req, params, body }) => {
      const store = storeResponse(req, accepted<Replay>);
      return accepted(await replayEvents(deps, callOf(req), { webhookId: params.id, ...body }, store));
    },
    listEvents: async ({ req, query }) => ok(await listEvents(deps, callOf(req).app.id, query)),
  });
}

/** Another URL receives the data of users, and more types are more of it. */
async function requireMayRedirect(
  deps: Deps,
  call: Call,
  id: string,
  patch: { url?: string | undefined; types?: string[] | undefined },
): Promise<void> {
  const revealing = (['url', 'types'] as const).filter((name) => patch[name] !== undefined);
  if (revealing.length > 0) requireScope(deps, call, 'users:read', revealing);
  requireMaySubscribe(deps, call, patch.types ?? []);
  if (patch.url === undefined) return;
  await requireRecentMember(deps, call);
  const { types } = await findWebhook(deps, { appId: call.app.id, id });
  if (types.some(isAuditType)) requireScope(deps, call, 'audit:read', ['url']);
}

function requireMaySubscribe(deps: Deps, call: Call, types: string[]): void {
  if (types.some(isAuditType)) requireScope(deps, call, 'audit:read', ['types']);
}

function idsOf(req: Parameters<typeof requireCall>[0], { id }: { id: string }) {
  return { appId: requireCall(req).app.id, id };
}
