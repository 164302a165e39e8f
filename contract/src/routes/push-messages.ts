// Sending push messages and reading their receipts, for the backend of the app.
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { pushPayloadBytes } from '../limits.js';
import { meta } from '../metadata.js';
import { dataEnvelope, PageQuery, pageOf } from '../schemas/envelopes.js';
import { PushDevice } from '../schemas/push.js';
import {
  PushMessage,
  PushMessageInput,
  PushReceipt,
  PushTopic,
  Sent,
  TopicListQuery,
} from '../schemas/push-messages.js';
import { Ulid } from '../schemas/values.js';

const c = initContract();

const MessagePath = z.object({ id: Ulid.meta({ description: 'The `id` of the message.' }) });

export const pushMessages = c.router(
  {
    send: {
      method: 'POST',
      path: '/push/send',
      summary: 'Send a push message',
      description:
        'Requires exactly one of `uids`, `device_ids`, `topic` and `all`. The message is stored, and sent ' +
        'after the response to the devices registered at the time of the call, or at `send_at`. Temporary failures of providers ' +
        '(429, 5xx, no response) are retried. An unknown key is rejected, so that a misspelt one does not widen ' +
        `the effect.\n\n\`notification\` and \`data\` have at most ${pushPayloadBytes} bytes of JSON. ` +
        '`push/provider-not-configured` is returned if the app has no credentials for the provider of any of the ' +
        'devices; if it has credentials for some, the other devices count as failed.',
      body: PushMessageInput,
      responses: { 202: dataEnvelope(Sent) },
      metadata: meta({
        rateLimit: 'push-send',
        scope: 'push:send',
        idempotencyKey: true,
        audit: 'push.sent',
        errors: [
          'push/invalid-target',
          'push/invalid-topic',
          'push/payload-too-large',
          'push/provider-not-configured',
          'push/invalid-send-time',
          'push/too-many-scheduled',
        ],
      }),
    },
    list: {
      method: 'GET',
      path: '/push/messages',
      summary: 'List push messages',
      description:
        'Sorted by the time of sending, latest first, so that scheduled messages come before all others. Messages are retained ' +
        'for 30 days.',
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(PushMessage)) },
      metadata: meta({ errors: [] }),
    },
    get: {
      method: 'GET',
      path: '/push/messages/:id',
      summary: 'Read a push message',
      description: 'Includes the number of devices whose provider has accepted the message so far.',
      pathParams: MessagePath,
      responses: { 200: dataEnvelope(PushMessage) },
      metadata: meta({
        errors: ['push/message-not-found'],
      }),
    },
    cancel: {
      method: 'POST',
      path: '/push/messages/:id/cancel',
      summary: 'Cancel a scheduled push message',
      description:
        'Possible until sending starts; afterwards, and for a message that was cancelled, `push/not-scheduled` is returned.',
      pathParams: MessagePath,
      body: c.noBody(),
      responses: { 200: dataEnvelope(PushMessage) },
      metadata: meta({
        scope: 'push:send',
        audit: 'push.cancelled',
        idempotencyKey: true,
        errors: ['push/message-not-found', 'push/not-scheduled'],
      }),
    },
    topics: {
      method: 'GET',
      path: '/push/topics',
      summary: 'List the topics of push messages',
      description:
        'The topics to which devices are subscribed, with the number of devices of each; sorted by topic.',
      query: TopicListQuery,
      responses: { 200: dataEnvelope(pageOf(PushTopic)) },
      metadata: meta({ errors: [] }),
    },
    receipts: {
      method: 'GET',
      path: '/push/messages/:id/receipts',
      summary: 'List the delivery receipts of a push message',
      description: 'Sorted by device id. A device to which no attempt was made yet has no receipt.',
      pathParams: MessagePath,
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(PushReceipt)) },
      metadata: meta({
        errors: ['push/message-not-found'],
      }),
    },
    devices: {
      method: 'GET',
      path: '/users/:uid/devices',
      summary: "List a user's push devices",
      description: 'Newest first.',
      pathParams: z.object({ uid: Ulid.meta({ description: 'The `uid` of the user.' }) }),
      query: PageQuery,
      responses: { 200: dataEnvelope(pageOf(PushDevice)) },
      metadata: meta({
        errors: ['auth/user-not-found'],
      }),
    },
  },
  {
    pathPrefix: '/admin',
    metadata: meta({ auth: 'admin', rateLimit: 'admin', scope: 'push:read', audit: null }),
  },
);
