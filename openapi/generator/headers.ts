// Headers of responses and requests: each is described once and referenced.
import {
  CodeFlow,
  codeFlowAnswer,
  DeviceToken,
  deviceTokenAnswer,
  limits,
  type ProofHeader,
} from '@foyer/contract';
import * as z from 'zod';

const { client } = limits.rateLimits;
const text = { type: 'string', maxLength: limits.maxHeaderCharacters } as const;
/** The longest window of a rate limit. */
const secondsOfDay = 86_400;

export const answerHeaders = {
  'X-Request-Id': {
    description: 'Identifies this request in the logs of the service; include it in support requests.',
    required: true,
    schema: text,
  },
  'RateLimit-Policy': {
    description:
      'The rate limit policy that `RateLimit` refers to, with its quota `q` and window `w` in seconds (IETF draft), such as ' +
      `\`"client";q=${client.limit};w=${client.windowSeconds}\`. Absent if the request was rejected before it was counted.`,
    schema: text,
  },
  RateLimit: {
    description:
      'The state of the policy closest to its limit: the remaining calls `r`, and the seconds `t` until more ' +
      'are allowed, such as `"client";r=12;t=40`. Absent if the request was rejected before it was counted.',
    schema: text,
  },
  'Retry-After': {
    description: 'Seconds to wait before retrying.',
    schema: { type: 'integer', minimum: 1, maximum: secondsOfDay },
    example: 30,
  },
  'WWW-Authenticate': {
    description:
      '`Bearer realm="foyer"`, with `error="invalid_token"` if the request had an invalid or expired token (RFC 6750).',
    required: true,
    schema: text,
    example: 'Bearer realm="foyer", error="invalid_token"',
  },
  Sunset: {
    description:
      'When v1 is switched off for this app, as an HTTP date (RFC 8594); absent if no date is set.',
    schema: text,
    example: 'Sun, 31 Jan 2027 00:00:00 GMT',
  },
  Deprecation: {
    description:
      'When v1 was deprecated for this app (RFC 9745), as `@` and the seconds since 1970: the time at which a shutdown date ' +
      'was first set, or that date if it is earlier; absent if no date is set.',
    schema: text,
    example: '@1772359200',
  },
  Link: {
    description:
      'If a shutdown date is set: `rel="sunset"` links to a page on moving to v2, `rel="successor-version"` ' +
      'to the document of v2 (RFC 8288).',
    schema: text,
  },
  ETag: {
    description: 'Identifies this version of the resource, for `If-None-Match` and `If-Match`.',
    schema: text,
    example: '"7-9f86d081884c7d65"',
  },
  'Idempotent-Replayed': {
    description:
      '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.',
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
    description:
      'How the response may be cached (RFC 9111): `public, max-age=…` in seconds for the public documents, `public, no-cache` for ' +
      'the bytes of a public file, and `no-store` for those of a private one and for a redirect.',
    required: true,
    schema: text,
    example: 'public, max-age=300',
  },
  'Content-Disposition': {
    description: 'Whether browsers display the file (`inline`) or download it (`attachment`), and its name.',
    required: true,
    schema: text,
    example: 'inline; filename=holiday.jpg',
  },
  'Accept-Ranges': {
    description: 'That `Range` is supported.',
    required: true,
    schema: text,
    example: 'bytes',
  },
  'Content-Range': {
    description:
      'The returned range and the size of the file in bytes; only the size if the range was not satisfiable.',
    required: true,
    schema: text,
    example: 'bytes 0-1023/48213',
  },
  Location: {
    description: 'The URL of the bytes at the S3-compatible service; it expires soon.',
    required: true,
    schema: text,
  },
} as const;

export type AnswerHeader = keyof typeof answerHeaders;

export function headerReferences(...names: AnswerHeader[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const encodedName = 'Percent-encode characters beyond ASCII (UTF-8), which many HTTP clients cannot send.';

const headerText = z.string().meta({ maxLength: limits.maxHeaderCharacters });

/**
 * The device name and app version that a client may send with calls that start a session; shown in the list of
 * sessions.
 */
export const sessionRequestHeaders = z.object({
  'X-Client-Device': headerText.optional().meta({
    description:
      'The name of the device, as chosen by the user; shown in the list of sessions, truncated to 100 characters. ' +
      encodedName,
    example: "Ada's phone",
  }),
  'X-Client-Version': headerText.optional().meta({
    description: `The version of the app; shown in the list of sessions, truncated to 100 characters. ${encodedName}`,
    example: '4.2.0',
  }),
});

/** The headers of operations that mail a code. */
export const mailRequestHeaders = z.object({
  'Accept-Language': headerText.optional().meta({
    description:
      'The preferred languages of the reader (RFC 9110). The mail is in the first of them for which the app has a text, or else ' +
      'in English.',
    example: 'de-AT, de;q=0.9',
  }),
});

/** The headers of operations that name them in their metadata. */
export const proofRequestHeaders: Record<ProofHeader, z.ZodType> = {
  'X-Code-Flow': CodeFlow.optional(),
  'X-Device-Token': DeviceToken.optional(),
};

/** The headers of operations that support idempotency keys. */
export const idempotencyRequestHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(limits.maxIdempotencyKeyCharacters)
    .optional()
    .meta({
      description:
        `A key of your choice, preferably random. For ${limits.idempotencyHours} hours a repeated request with the ` +
        'same key returns the stored response, with `Idempotent-Replayed: true`, and has no further effect; ' +
        'responses with 5xx and 429 are not stored. A request that arrives while the first one is in progress ' +
        'waits a few seconds for its response.',
      example: '5f1c6a2e-7d0b-4c53-9a55-2f0d6f8f3b11',
    }),
});
