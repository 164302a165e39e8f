// Routes of the app's devices and topics.
import { contract } from '@foyer/contract';
import { initServer } from '@ts-rest/express';
import type { Deps } from '../../deps.js';
import { callOf, requireCall } from '../../http/call.js';
import { created, noContent, ok } from '../../http/data-answer.js';
import { ApiError } from '../../lib/api-error.js';
import { sessionIdsOf } from '../../model/call.js';
import { listDevices } from './list-devices.js';
import { deleteDevice, registerDevice } from './register-device.js';
import { subscribe, unsubscribe } from './topics.js';

export function pushRoutes(deps: Deps) {
  return initServer().router(contract.push, {
    register: async ({ req, body }) => {
      const { device, created: isNew } = await registerDevice(deps, callOf(req), body);
      return isNew ? created(device) : ok(device);
    },
    list: async ({ req, query }) => ok(await listDevices(deps, sessionIdsOf(callOf(req)), query)),
    delete: async ({ req, params }) => {
      await deleteDevice(deps, accessIdsOf(req, params.id));
      return noContent;
    },
    subscribe: async ({ req, params }) => {
      await subscribe(deps, callOf(req), accessIdsOf(req, params.id), params.topic);
      return noContent;
    },
    unsubscribe: async ({ req, params }) => {
      await unsubscribe(deps, accessIdsOf(req, params.id), params.topic);
      return noContent;
    },
    webKey: async ({ req }) => {
      const { subject, public_key } = callOf(req).app.settings.push.web_push;
      if (subject === null || public_key === null) throw new ApiError('push/provider-not-configured');
      return ok({ public_key });
    },
  });
}

function accessIdsOf(req: Parameters<typeof requireCall>[0], deviceId: string) {
  const { app, uid } = requireCall(req);
  return { appId: app.id, deviceId, uid };
}
