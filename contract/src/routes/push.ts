// Push devices and their topics.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { textUpTo } from '../answer-values.js';
import {
  maxTopicCharacters,
  pushDevicesBeyondTotal,
  pushDevicesPerUser,
  pushTokenUnitBytes,
  pushTopicsPerDevice,
  pushUnusedDeviceDays,
  rateLimits,
} from '../limits.js';
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
        'Call it at every start of the app, and after every sign-in and sign-out. With an access token the device ' +
        'is linked to the user, even if it was linked to another user before; without one it is linked to no user ' +
        "and no longer receives the user's messages. Signing out does not unlink the device. A known token keeps " +
        'its id, and its topics except those to which it was subscribed while it was linked to another user; it ' +
        `becomes active again if it was invalid. A user has at most ${pushDevicesPerUser} ` +
        'devices: registering another unlinks the one registered least recently. Registrations of unknown tokens ' +
        `are limited to ${rateLimits['new-device'].limit} an hour for a user, or for an IP address without a user. ` +
        `Without a user they are also limited to ${rateLimits['new-device-day'].limit} a day for an IP address, where ` +
        `a token counts once per ${pushTokenUnitBytes} bytes, and to ${rateLimits['new-devices-app'].limit} a day for ` +
        `the app, beyond which an IP address may still register ${pushDevicesBeyondTotal}. A device without a user ` +
        `and without topics that is not registered again is deleted after ${pushUnusedDeviceDays} days.`,
      body: DeviceInput,
      responses: { 200: dataEnvelope(PushDevice), 201: dataEnvelope(PushDevice) },
      metadata: meta({
        auth: 'optional-user',
        alsoLimitedBy: ['new-device', 'new-device-day', 'new-devices-app'],
        errors: ['push/invalid-token'],
      }),
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
      summary: 'Delete a device',
      description:
        'A device linked to a user can be deleted by that user only. Any client that knows the id can delete a ' +
        'device linked to no user; the id is returned only to the app that registers the device.',
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
        'Allowed for callers that may delete the device. A topic of a device that is linked to a user ends when the ' +
        'device is linked to another user or to none: subscribe again after each sign-in. A topic of a device ' +
        `without a user remains. A device has at most ${pushTopicsPerDevice} topics. New subscriptions are limited to ` +
        `${rateLimits['new-topic'].limit} an hour for a user, or for an IP address without a user.`,
      pathParams: TopicPath,
      body: c.noBody(),
      responses: { 204: c.noBody() },
      metadata: meta({
        auth: 'optional-user',
        alsoLimitedBy: ['new-topic'],
        errors: ['push/device-not-found', 'push/invalid-topic', 'push/too-many-topics'],
      }),
    },
    unsubscribe: {
      method: 'DELETE',
      path: '/devices/:id/topics/:topic',
      summary: 'Unsubscribe a device from a topic',
      description: 'Also returns 204 if the device was not subscribed.',
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
      summary: 'Read the public key for browser subscriptions',
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
