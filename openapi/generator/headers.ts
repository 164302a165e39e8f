// Headers of answers and requests that the contract does not carry: each is described once and referred to.
import { limits } from '@foyer/contract';
import { z } from 'zod';

const { client } = limits.rateLimits;

export const answerHeaders = {
  'X-Request-Id': {
    description: 'Names this request in the logs of the service; quote it when you ask for help.',
    required: true,
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description:
      'How calls are counted: each policy with its quota `q` and window `w` in seconds (IETF draft), as ' +
      `\`"client";q=${client.limit};w=${client.windowSeconds}\`.`,
    schema: { type: 'string' },
  },
  RateLimit: {
    description:
      'What is left of the tightest policy: calls `r`, and the seconds `t` until more are allowed, as ' +
      '`"client";r=12;t=40`.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds to wait before trying again.',
    schema: { type: 'integer', minimum: 1 },
    example: 30,
  },
  'Cache-Control': {
    description: 'How long the document may be kept: `public, max-age=…` in seconds.',
    schema: { type: 'string' },
  },
} as const;

export type AnswerHeader = keyof typeof answerHeaders;

export function headerReferences(...names: AnswerHeader[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** What a client may say of itself on the calls that start a session; shown in the user's list of devices. */
export const sessionRequestHeaders = z.object({
  'X-Client-Device': z.string().optional().meta({
    description: 'What the user calls this device; shown in the list of sessions, cut at 100 characters.',
    example: "Ada's phone",
  }),
  'X-Client-Version': z.string().optional().meta({
    description: 'The version of the app; shown in the list of sessions, cut at 100 characters.',
    example: '4.2.0',
  }),
});
