// Push devices and their topics. Specification "Other endpoints" and "Authentication" 8.
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { textUpTo } from '../answer-values.js';
import { maxTopicCharacters, pushDevicesPerUser, pushTopicsPerDevice } from '../limits.js';
import { meta } from '../metadata.js';
import { dataEnvelope, PageQuery, pageOf } from '../schemas/envelopes.js';
import { DeviceInput, PushDevice } from '../schemas/push.js';
import { Ulid } from '../schemas/values.js';

const c = initContract();

const DevicePath = z.object({ id: Ulid.meta({ description: 'The `id` of the device.' }) });

const TopicPath = DevicePath.extend({
  topic: textUpTo(maxTopicCharacters).meta({
    description: '1 to 100 letters, digits or characters of `_.~%-`; percent-encoded in the path.',
    example: 'news',
  }),
});

export const push = c.router(
  {
    register: {
      method: 'POST',
      path: '/devices',
      summary: 'Register a push token',
      description:
        'Call it at every start, after every sign-in and after every sign-out. With an access token the device becomes ' +
        "the user's, whoever had it before; without one it is linked to nobody, and the user's messages no longer reach " +
        'it. Signing out alone changes nothing. A known token keeps its id and its topics, and one that was invalid is ' +
        `active again. A user has at most ${pushDevicesPerUser} devices: one more unlinks the one registered longest ago.`,
      body: DeviceInput,
      responses: { 200: dataEnvelope(PushDevice), 201: dataEnvelope(PushDevice) },
      metadata: meta({ auth: 'optional-user', errors: ['push/invalid-token'] }),
    },
    list: {
      method: 'GET',
      path: '/devices',
      summary: "List the user's devices",
      description: 'Newest first.',
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(PushDevice)) },
      metadata: meta({ auth: 'signed-in', errors: [] }),
    },
    delete: {
      method: 'DELETE',
      path: '/devices/:id',
      summary: 'Forget a device',
      description:
        "A user's device is deleted by that user alone; one that is linked to nobody by whoever knows its id, which " +
        'only the app that registered it was told.',
      pathParams: DevicePath,
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({ auth: 'optional-user', errors: ['push/device-not-found'] }),
    },
    subscribe: {
      method: 'PUT',
      path: '/devices/:id/topics/:topic',
      summary: 'Subscribe a device to a topic',
      description:
        'Whoever may delete a device may subscribe it. A device keeps its topics, whoever it is linked to; it has at ' +
        `most ${pushTopicsPerDevice} of them.`,
      pathParams: TopicPath,
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({
        auth: 'optional-user',
        errors: ['push/device-not-found', 'push/invalid-topic', 'push/too-many-topics'],
      }),
    },
    unsubscribe: {
      method: 'DELETE',
      path: '/devices/:id/topics/:topic',
      summary: 'Unsubscribe a device from a topic',
      description: 'Also answers 204 where the device was not subscribed.',
      pathParams: TopicPath,
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({
        auth: 'optional-user',
        errors: ['push/device-not-found', 'push/invalid-topic'],
      }),
    },
    webKey: {
      method: 'GET',
      path: '/web-key',
      summary: 'Read the key that browsers subscribe with',
      description: "The `applicationServerKey` for the browser's `pushManager.subscribe` (RFC 8292).",
      responses: {
        200: dataEnvelope(
          z.object({
            public_key: textUpTo(100).meta({
              description: 'An uncompressed P-256 point, base64url.',
              example:
                'BDd3_hVL9fZi9Ybo2UUzA284WG5FZR30_95YeZJsiApwXKpNcF1rRPF3foIiBHXRdJI2Qhumhf6_LFTeZaNndIo',
            }),
          }),
        ),
      },
      metadata: meta({ auth: 'app-key', errors: ['push/provider-not-configured'] }),
    },
  },
  { pathPrefix: '/push', metadata: meta({ rateLimit: 'client' }) },
);
