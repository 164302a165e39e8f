// What the service sends to an app's receivers, as an entry of the document's `webhooks`.
import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import type { DocumentSource } from './source.js';

export function webhookConfig(webhook: NonNullable<DocumentSource['webhook']>): RouteConfig {
  const { name, tag, summary, description, payload } = webhook;
  return {
    method: 'post',
    path: name,
    operationId: `${tag}.receive`,
    tags: [tag],
    summary,
    description,
    security: [],
    request: {
      headers: z.object({
        'webhook-id': z.string().meta({
          maxLength: 64,
          description: 'The event; the same in every attempt, so that a receiver can tell what it has.',
          example: 'evt_01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
        }),
        'webhook-timestamp': z.string().meta({
          maxLength: 20,
          description: 'When this attempt was made, in seconds since 1970.',
          example: '1767323045',
        }),
        'webhook-signature': z.string().meta({
          maxLength: 200,
          description:
            '`v1,` and the base64 of an HMAC-SHA-256 over id, timestamp and body; while a secret is rotated two of them, separated by a space.',
          example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        }),
      }),
      body: { required: true, content: { 'application/json': { schema: payload } } },
    },
    responses: {
      '2XX': {
        description: 'Taken. Whatever else is answered, or nothing within 15 seconds, is sent again.',
      },
      '410': { description: 'Nothing more is to be sent: the webhook is disabled.' },
    },
  };
}
