// Routes of push messages, for the app's backend.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../../deps.js';
import { actorOf, callerOf } from '../../http/caller.js';
import { storeResponse } from '../../idempotency/idempotency-key.js';
import { listDevicesOfUser } from '../devices/list-devices.js';
import { listMessages, listReceipts, readMessage } from './list-messages.js';
import { type Sent, sendMessage } from './send-message.js';

export function pushMessageRoutes(deps: Deps) {
  return initServer().router(contract.pushMessages, {
    send: async ({ req, body }) => {
      const store = storeResponse(req, accepted);
      return accepted(await sendMessage(deps, callerOf(req).app, actorOf(req), body, store));
    },
    list: async ({ req, query }) => ({
      status: 200,
      body: { data: await listMessages(deps, callerOf(req).app.id, query) },
    }),
    get: async ({ req, params }) => {
      const ids = { appId: callerOf(req).app.id, messageId: params.id };
      return { status: 200, body: { data: await readMessage(deps, ids) } };
    },
    receipts: async ({ req, params, query }) => {
      const ids = { appId: callerOf(req).app.id, messageId: params.id };
      return { status: 200, body: { data: await listReceipts(deps, ids, query) } };
    },
    devices: async ({ req, params, query }) => {
      const ids = { appId: callerOf(req).app.id, uid: params.uid };
      return { status: 200, body: { data: await listDevicesOfUser(deps, ids, query) } };
    },
  });
}

function accepted(sent: Sent) {
  return { status: 202 as const, body: { data: sent } };
}
