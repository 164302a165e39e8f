// What the handlers of the fake service receive and return, with the access rules and error envelopes of the real one.
import { errorCatalogue } from '../generated/error-catalogue.js';
import type { ServerCode } from '../generated/error-codes.js';
import type { SessionInfo } from '../generated/models.js';
import type { Route } from '../generated/routes.js';

export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface FakeSession {
  id: string;
  uid: string;
  method: SessionInfo['method'];
  /** The refresh tokens, oldest first; the last one is current. */
  tokens: string[];
  /** The time at which each refresh token was spent. */
  spentAt: number[];
  ended: boolean;
  amr: string[];
  signedInAtMs: number;
  createdAtMs: number;
  lastUsedAtMs: number;
  deviceName: string | null;
  appVersion: string | null;
}

export interface Call {
  params: Record<string, string>;
  query: URLSearchParams;
  body: Record<string, unknown>;
  header(name: string): string | undefined;
  session: FakeSession | undefined;
}

export type SignedInCall = Call & { session: FakeSession };

/** The callers: any client, any client with or without a valid access token, or a signed-in user. */
type Access = 'app-key' | 'optional-user' | 'signed-in';

export interface Handler {
  access: Access;
  answer(call: Call): Answer;
}

export type Handlers<R extends Route> = Record<R, Handler>;

export const forAnyone = (answer: (call: Call) => Answer): Handler => ({ access: 'app-key', answer });
export const forAnyUser = (answer: (call: Call) => Answer): Handler => ({ access: 'optional-user', answer });
export const forUser = (answer: (call: SignedInCall) => Answer): Handler => ({
  access: 'signed-in',
  answer: (call) => answer(call as SignedInCall),
});

/** An error response, thrown by handlers. */
export class Refusal extends Error {
  constructor(
    readonly code: ServerCode,
    readonly fields: Record<string, string[]> = {},
    /** The message, if it is not that of the catalogue. */
    readonly text?: string,
  ) {
    super(code);
  }
}

export function data(value: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return { status, body: { data: value }, headers };
}

export const noContent: Answer = { status: 204 };

export function errorAnswer({ code, fields, text }: Pick<Refusal, 'code' | 'fields' | 'text'>): Answer {
  const { status, message } = errorCatalogue[code];
  return { status, body: { error: { code, message: text ?? message, fields } } };
}

/** One page of a list whose items are sorted; the cursor is the position of the next item. */
export function pageOf<T>(items: readonly T[], { query }: Call): Answer {
  requireKnown(query, ['limit', 'cursor']);
  const limit = whole(query.get('limit') ?? '25', 1, 100, 'limit');
  const cursor = query.get('cursor');
  const from = cursor === null ? 0 : whole(cursor.replace(/^c/, ''), 0, 1e9, 'cursor');
  const to = from + limit;
  return data({ items: items.slice(from, to), next_cursor: to < items.length ? `c${to}` : null });
}

/** A misspelt name is refused, so that it does not widen a result. */
export function requireKnown(query: URLSearchParams, known: readonly string[]): void {
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new Refusal('request/validation-failed', { query: [`has the unknown parameter ${unknown}`] });
}

export function whole(text: string, min: number, max: number, field: string): number {
  const value = /^(0|[1-9]\d*)$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new Refusal('request/validation-failed', {
    [field]: [`must be a whole number from ${min} to ${max}`],
  });
}
