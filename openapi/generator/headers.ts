// Headers of answers and requests: each is described once and referred to.
import {
  CodeFlow,
  codeFlowAnswer,
  DeviceToken,
  deviceTokenAnswer,
  limits,
  type ProofHeader,
} from '@foyer/contract';
import { z } from 'zod';

const { client } = limits.rateLimits;
const text = { type: 'string', maxLength: limits.maxHeaderCharacters } as const;
/** No window of a rate limit is longer. */
const secondsOfDay = 86_400;

export const answerHeaders = {
  'X-Request-Id': {
    description: 'Names this request in the logs of the service; quote it when you ask for help.',
    required: true,
    schema: text,
  },
  'RateLimit-Policy': {
    description:
      'How calls are counted: each policy with its quota `q` and window `w` in seconds (IETF draft), as ' +
      `\`"client";q=${client.limit};w=${client.windowSeconds}\`.`,
    schema: text,
  },
  RateLimit: {
    description:
      'What is left of the tightest policy: calls `r`, and the seconds `t` until more are allowed, as ' +
      '`"client";r=12;t=40`.',
    schema: text,
  },
  'Retry-After': {
    description: 'Seconds to wait before trying again.',
    schema: { type: 'integer', minimum: 1, maximum: secondsOfDay },
    example: 30,
  },
  Sunset: {
    description:
      'When v1 is switched off for this app, as an HTTP date (RFC 8594); absent while no date is set.',
    schema: text,
    example: 'Sun, 31 Jan 2027 00:00:00 GMT',
  },
  Deprecation: {
    description:
      'Since when v1 has a shutdown date for this app (RFC 9745): `@` and the seconds since 1970; absent without one.',
    schema: text,
    example: '@1772359200',
  },
  Link: {
    description:
      'With a shutdown date: `rel="sunset"` leads to a page on moving to v2, `rel="successor-version"` to the document ' +
      'of v2 (RFC 8288).',
    schema: text,
  },
  ETag: {
    description: 'Names this version of the answer, for `If-None-Match` and `If-Match`.',
    schema: text,
    example: '"7-9f86d081884c7d65"',
  },
  'Idempotent-Replayed': {
    description:
      '`true` when this answer repeats the one to an earlier request with the same `Idempotency-Key`.',
    schema: text,
    example: 'true',
  },
  'X-Code-Flow': {
    description: codeFlowAnswer,
    required: true,
    schema: { type: 'string', pattern: limits.codeFlowPattern.source },
    example: 'fl_q0dyjPzW8uTGxXyW6zqkXA',
  },
  'X-Device-Token': {
    description: deviceTokenAnswer,
    required: true,
    schema: text,
    example: 'dt_AVNQ5KkfxJc2n0vXbq8Zs3WmYtR1LhPdUeGaJzKo7QnBHwCi',
  },
  'Cache-Control': {
    description: 'How long the document may be kept: `public, max-age=…` in seconds.',
    schema: text,
  },
} as const;

export type AnswerHeader = keyof typeof answerHeaders;

export function headerReferences(...names: AnswerHeader[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const headerText = z.string().meta({ maxLength: limits.maxHeaderCharacters });

/** What a client may say of itself on the calls that start a session; shown in the user's list of devices. */
export const sessionRequestHeaders = z.object({
  'X-Client-Device': headerText.optional().meta({
    description: 'What the user calls this device; shown in the list of sessions, cut at 100 characters.',
    example: "Ada's phone",
  }),
  'X-Client-Version': headerText.optional().meta({
    description: 'The version of the app; shown in the list of sessions, cut at 100 characters.',
    example: '4.2.0',
  }),
});

/** On the calls that name them in their metadata. */
export const proofRequestHeaders: Record<ProofHeader, z.ZodType> = {
  'X-Code-Flow': CodeFlow.optional(),
  'X-Device-Token': DeviceToken.optional(),
};

/** On the calls that are to happen once, however often they are sent. */
export const idempotencyRequestHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(limits.maxIdempotencyKeyCharacters)
    .optional()
    .meta({
      description:
        `Of your choice, best random. For ${limits.idempotencyHours} hours the same request with the same key is ` +
        'answered as the first one was, with `Idempotent-Replayed: true`, and changes nothing; answers 5xx and 429 are ' +
        'not kept. A request that finds the first one still running waits a few seconds for its answer.',
      example: '5f1c6a2e-7d0b-4c53-9a55-2f0d6f8f3b11',
    }),
});
