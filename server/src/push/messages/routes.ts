// Routes of push messages, for the app's backend.
import { contract, type PushMessage } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import { requireUser } from '../../accounts/account.js';
import type { Deps } from '../../deps.js';
import { callOf } from '../../http/call.js';
import { accepted, ok } from '../../http/data-answer.js';
import { storeResponse } from '../../idempotency/idempotency-key.js';
import { listDevices } from '../devices/list-devices.js';
import { listTopics } from '../devices/list-topics.js';
import { cancelMessage } from './cancel-message.js';
import { listMessages, listReceipts, readMessage } from './list-messages.js';
import { type Sent, sendMessage } from './send-message.js';

export function pushMessageRoutes(deps: Deps) {
  return initServer().router(contract.pushMessages, {
    send: async ({ req, body }) => {
      const store = storeResponse(req, accepted<Sent>);
      return accepted(await sendMessage(deps, callOf(req), body, store));
    },
    list: async ({ req, query }) => ok(await listMessages(deps, callOf(req).app.id, query)),
    get: async ({ req, params }) =>
      ok(await readMessage(deps, { appId: callOf(req).app.id, messageId: params.id })),
    cancel: async ({ req, params }) => {
      const store = storeResponse(req, ok<PushMessage>);
      return ok(await cancelMessage(deps, callOf(req), params.id, store));
    },
    topics: async ({ req, query }) => ok(await listTopics(deps, callOf(req).app.id, query)),
    receipts: async ({ req, params, query }) =>
      ok(await listReceipts(deps, { appId: callOf(req).app.id, messageId: params.id }, query)),
    devices: async ({ req, params, query }) => {
      const ids = await requireUser(deps.query, { appId: callOf(req).app.id, uid: params.uid });
      return ok(await listDevices(deps, ids, query));
    },
  });
}
