// Routes of push messages, for the app's backend.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../../deps.js';
import { actorOf, callerOf } from '../../http/caller.js';
import { accepted, ok } from '../../http/data-answer.js';
import { storeResponse } from '../../idempotency/idempotency-key.js';
import { requireUser } from '../../users/account.js';
import { listDevices } from '../devices/list-devices.js';
import { listMessages, listReceipts, readMessage } from './list-messages.js';
import { type Sent, sendMessage } from './send-message.js';

export function pushMessageRoutes(deps: Deps) {
  return initServer().router(contract.pushMessages, {
    send: async ({ req, body }) => {
      const store = storeResponse(req, accepted<Sent>);
      return accepted(await sendMessage(deps, callerOf(req).app, actorOf(req), body, store));
    },
    list: async ({ req, query }) => ok(await listMessages(deps, callerOf(req).app.id, query)),
    get: async ({ req, params }) =>
      ok(await readMessage(deps, { appId: callerOf(req).app.id, messageId: params.id })),
    receipts: async ({ req, params, query }) =>
      ok(await listReceipts(deps, { appId: callerOf(req).app.id, messageId: params.id }, query)),
    devices: async ({ req, params, query }) => {
      const ids = await requireUser(deps.query, { appId: callerOf(req).app.id, uid: params.uid });
      return ok(await listDevices(deps, ids, query));
    },
  });
}
