// Routes of the app's devices and topics.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../../deps.js';
import { callerOf, userIdsOf } from '../../http/caller.js';
import { ApiError } from '../../lib/api-error.js';
import { listDevices } from './list-devices.js';
import { deleteDevice, registerDevice } from './register-device.js';
import { subscribe, unsubscribe } from './topics.js';

export function pushRoutes(deps: Deps) {
  return initServer().router(contract.push, {
    register: async ({ req, body }) => {
      const { app, session, ipAddress } = callerOf(req);
      const user = session && { uid: session.uid, sessionId: session.sessionId };
      const { device, created } = await registerDevice(deps, app, { user, ipAddress }, body);
      return { status: created ? 201 : 200, body: { data: device } };
    },
    list: async ({ req, query }) => ({
      status: 200,
      body: { data: await listDevices(deps, userIdsOf(req), query) },
    }),
    delete: async ({ req, params }) => {
      await deleteDevice(deps, accessIdsOf(req, params.id));
      return { status: 204, body: undefined };
    },
    subscribe: async ({ req, params }) => {
      const caller = callerOf(req);
      await subscribe(deps, caller.app, accessIdsOf(req, params.id), caller.ipAddress, params.topic);
      return { status: 204, body: undefined };
    },
    unsubscribe: async ({ req, params }) => {
      await unsubscribe(deps, accessIdsOf(req, params.id), params.topic);
      return { status: 204, body: undefined };
    },
    webKey: async ({ req }) => {
      const { subject, public_key } = callerOf(req).app.settings.push.web_push;
      if (subject === null || public_key === null) throw new ApiError('push/provider-not-configured');
      return { status: 200, body: { data: { public_key } } };
    },
  });
}

function accessIdsOf(req: Parameters<typeof callerOf>[0], deviceId: string) {
  const { app, session } = callerOf(req);
  return { appId: app.id, deviceId, uid: session?.uid ?? null };
}
