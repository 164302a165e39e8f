// The form of every refusal, whichever part of the service refuses.
import { type ErrorCode, ErrorEnvelope, errorCatalogue } from '@foyer/contract';
import { expect } from 'vitest';

type Refusal = { status: number; headers: Headers; text: string };

export const ulidPattern = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

const StrictEnvelope = ErrorEnvelope.strict();
const challenge = /^Bearer realm="foyer"(, error="invalid_token")?$/;

/** Exactly the envelope, the status and message of the catalogue, and a request id. */
export function expectRefusal(answer: Refusal, code: ErrorCode, fields: object | null = {}): void {
  expect({ status: answer.status, text: answer.text }).toEqual({
    status: errorCatalogue[code].status,
    text: expect.stringContaining(`"${code}"`),
  });
  expectEnvelope(answer);
  const { error } = JSON.parse(answer.text);
  expect(error).toEqual({ code, message: expect.any(String), fields: fields ?? expect.anything() });
  const sentence = errorCatalogue[code].message;
  if (code === 'request/internal-error') {
    expect(error.message).toBe(`${sentence} Request ${answer.headers.get('x-request-id')}.`);
  } else expect(error.message).toBe(sentence);
  // RFC 9110, 15.5.2.
  if (answer.status === 401) expect(answer.headers.get('www-authenticate')).toMatch(challenge);
  const later = ['request/unavailable', 'request/rate-limited', 'admin/query-timeout', 'data/query-timeout'];
  if (later.includes(code)) {
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
}

/** Any refusal at all. */
export function expectEnvelope(answer: Refusal): void {
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('x-request-id')).toMatch(ulidPattern);
  const body = JSON.parse(answer.text);
  expect(StrictEnvelope.safeParse(body).error).toBeUndefined();
  // Written for the API user, not in the wording of the schema library.
  for (const problem of Object.values(body.error.fields).flat())
    expect(problem).toMatch(/^[a-z](?!.*received)/);
}
