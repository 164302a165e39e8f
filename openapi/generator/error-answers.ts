// The error responses of an operation of v2: each status with its possible codes, their messages, and an example.
import { type ErrorCode, errorCatalogue, errorMap, errorsOf, limits, metadataOf } from '@foyer/contract';
import type { z } from 'zod';
import { type AnswerHeader, headerReferences } from './headers.js';
import { bodyOf, keysOf, type Operation, parametersOf, type Route } from './routes.js';

type Reference = { $ref: string };
type ErrorAnswer = {
  description: string;
  headers: Record<string, Reference>;
  content: {
    'application/json': {
      schema: object;
      examples: Record<string, { summary: string; value: object }>;
    };
  };
};

/** How a version writes its error responses: those of one route by status, and those that several routes share. */
export type ErrorAnswers = {
  /** Whether an error response has its code. */
  coded: boolean;
  of(route: Route): Record<string, ErrorAnswer | Reference>;
  shared(operations: Operation[]): Record<string, ErrorAnswer>;
};

/** Returned on the connection before the endpoint is known, so every operation can return them: a URL may be too large, too. */
export const connectionErrors = [
  'request/malformed-http',
  'request/timeout',
  'request/too-large',
] as const satisfies ErrorCode[];

/** Every code that this operation can return, in the order of the catalogue. */
export function answeredErrors(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>([...connectionErrors, ...errorsOf(route)]);
  return (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => codes.has(code));
}

export const codedErrors: ErrorAnswers = { coded: true, of: errorAnswers, shared: sharedErrorAnswers };

function errorAnswers(route: Route) {
  return Object.fromEntries(
    byStatus(answeredErrors(route)).map(([status, codes]) => [
      status,
      isShared(codes, route) ? reference(codes[0]) : answer(codes, route),
    ]),
  );
}

/** The error responses that are identical for all routes, by component name. */
function sharedErrorAnswers(operations: Operation[]) {
  const shared = new Set<ErrorCode>();
  for (const { route } of operations) {
    for (const [, codes] of byStatus(answeredErrors(route))) if (isShared(codes, route)) shared.add(codes[0]);
  }
  return Object.fromEntries([...shared].sort().map((code) => [componentName(code), answer([code])]));
}

export function byStatus(
  codes: ErrorCode[],
  statusIn = statusOf,
): [status: string, codes: [ErrorCode, ...ErrorCode[]]][] {
  const statuses = new Map<number, [ErrorCode, ...ErrorCode[]]>();
  for (const code of codes) {
    const status = statusIn(code);
    const earlier = statuses.get(status);
    if (earlier) earlier.push(code);
    else statuses.set(status, [code]);
  }
  return [...statuses].sort(([a], [b]) => a - b).map(([status, own]) => [String(status), own]);
}

// The examples of `fields` and the replays of a response are specific to an operation.
function isShared(codes: ErrorCode[], route: Route): boolean {
  return (
    codes.length === 1 &&
    !codes.some((code) => withFields.includes(code)) &&
    !isReplayed(codes, route) &&
    // The headers differ when there are no rate limits.
    metadataOf(route).rateLimit !== 'none'
  );
}

const withFields: ErrorCode[] = ['request/validation-failed', 'auth/weak-password'];

/** True if one of the codes comes from the endpoint itself, whose response is stored with the idempotency key. */
function isReplayed(codes: ErrorCode[], route: Route): boolean {
  const { idempotencyKey, errors } = metadataOf(route);
  return idempotencyKey === true && codes.some((code) => errors.includes(code) || withFields.includes(code));
}

function reference(code: ErrorCode) {
  return { $ref: `#/components/responses/${componentName(code)}` };
}

/** `auth/session-not-found` → `AuthSessionNotFound` */
function componentName(code: ErrorCode): string {
  return code.replace(/(?:^|[/-])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const statusOf = (code: ErrorCode): number => errorCatalogue[code].status;

/** All with the same status. */
function answer(codes: [ErrorCode, ...ErrorCode[]], route?: Route) {
  return {
    description: codes.map(sentence).join('\n'),
    headers: headerReferences(
      'X-Request-Id',
      ...headersOf(statusOf(codes[0]), codes, route),
      ...(route && isReplayed(codes, route) ? (['Idempotent-Replayed'] as const) : []),
    ),
    content: {
      'application/json': {
        schema: envelopeOf(codes),
        examples: Object.fromEntries(
          codes.map((code) => [code, { summary: code, value: exampleOf(code, route) }]),
        ),
      },
    },
  };
}

/** Without a route, the errors are those of a response that several routes with rate limits share. */
export function headersOf(status: number, codes: ErrorCode[], route?: Route): AnswerHeader[] {
  const limited = route === undefined || metadataOf(route).rateLimit !== 'none';
  const headers: AnswerHeader[] = [];
  if (status === 401) headers.push('WWW-Authenticate');
  if (status === 416) headers.push('Content-Range');
  if (codes.some((code) => retried.includes(code))) headers.push('Retry-After');
  if (limited && codes.some((code) => !uncounted.includes(code))) {
    headers.push('RateLimit', 'RateLimit-Policy');
  }
  return headers;
}

const retried: ErrorCode[] = [
  'request/rate-limited',
  'request/unavailable',
  'request/idempotency-key-in-progress',
];

/** Returned before a call is counted. */
const uncounted: ErrorCode[] = [...connectionErrors, 'request/invalid-app-key'];

function sentence(code: ErrorCode, _: number, { length }: ErrorCode[]): string {
  return `${length > 1 ? '- ' : ''}\`${code}\`: ${errorCatalogue[code].message}`;
}

function envelopeOf(codes: ErrorCode[]) {
  const code = { type: 'string' as const, enum: codes };
  const narrowed = { type: 'object' as const, properties: { code } };
  return {
    type: 'object' as const,
    properties: { error: { allOf: [{ $ref: '#/components/schemas/Error' }, narrowed] } },
    required: ['error'],
  };
}

function exampleOf(code: ErrorCode, route: Route | undefined) {
  const fields = route ? exampleFields(code, route) : {};
  return { error: { code, message: errorCatalogue[code].message, fields } };
}

function exampleFields(code: ErrorCode, route: Route): Record<string, string[]> {
  if (code === 'auth/weak-password') {
    return { password: [`must have at least ${limits.minPasswordCharacters} characters`] };
  }
  if (code !== 'request/validation-failed') return {};
  const inputs = [bodyOf(route), parametersOf(route.pathParams), parametersOf(route.query)];
  const input = inputs.find((schema) => keysOf(schema).length > 0);
  return input ? complaint(input) : {};
}

// The error of the operation's own schema for an invalid first field.
function complaint(input: z.ZodType): Record<string, string[]> {
  const [key = ''] = keysOf(input);
  for (const wrong of ['?', 7, {}]) {
    const issue = input
      .safeParse({ [key]: wrong }, { error: errorMap })
      .error?.issues.find(({ path }) => path[0] === key);
    if (issue) return { [issue.path.join('.')]: [issue.message] };
  }
  return {};
}
