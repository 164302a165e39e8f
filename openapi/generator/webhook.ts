// The request that the service sends to the webhooks of an app, as an entry of `webhooks` in the document.
import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import * as z from 'zod';
import { operationIdOf } from './routes.js';
import type { DocumentSource } from './source.js';

export function webhookConfig(webhook: NonNullable<DocumentSource['webhook']>): RouteConfig {
  const { name, tag, summary, description, payload } = webhook;
  return {
    method: 'post',
    path: name,
    operationId: operationIdOf(`${tag}.receive`),
    'x-operation': `${tag}.receive`,
    tags: [tag],
    summary,
    description,
    security: [],
    request: {
      headers: z.object({
        'webhook-id': z.string().meta({
          maxLength: 64,
          description: 'The event; the same in every attempt, so that a receiver can detect duplicates.',
          example: 'evt_01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
        }),
        'webhook-timestamp': z.string().meta({
          maxLength: 20,
          description: 'The time of this attempt, in seconds since 1970.',
          example: '1767323045',
        }),
        'webhook-signature': z.string().meta({
          maxLength: 200,
          description:
            '`v1,` and the base64 of an HMAC-SHA-256 over id, timestamp and body; during the rotation of a secret ' +
            'two of them, separated by a space.',
          example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        }),
      }),
      body: { required: true, content: { 'application/json': { schema: payload } } },
    },
    responses: {
      '2XX': {
        description:
          'The delivery succeeded. It is retried after any other status, and after a timeout of 15 seconds.',
      },
      '410': { description: 'The webhook is disabled and receives no further deliveries.' },
    },
  };
}
