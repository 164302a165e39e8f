// The steps that scenarios of v1 share: an account of v1, its token, and the form of its answers.
import { randomUUID } from 'node:crypto';
import { V1Error, type V1User } from '@foyer/contract';
import { expect } from 'vitest';
import type { Answer, CallOptions, TestService } from './harness.js';

export type V1Account = { email: string; password: string; user: V1User };

const StrictV1Error = V1Error.strict();

export const tokenPattern = /^[0-9a-f]{64}$/;
export const v1Invalid = {
  status: 401,
  json: { message: 'The token is missing, unknown, expired or signed out.' },
};

export function v1Scenario(service: () => TestService) {
  const call = (method: string, path: string, options: CallOptions = {}) =>
    service().call(method, path, { ...options, version: 'v1' });

  function bodyOf(given: object = {}) {
    const password = 'correct horse battery staple';
    return {
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: `user-${randomUUID()}@example.com`,
      password,
      password_confirmation: password,
      ...given,
    };
  }

  async function logIn(
    user: { email: string; password: string },
    options: CallOptions = {},
  ): Promise<string> {
    const { email, password } = user;
    const answer = await call('POST', '/login', { ...options, body: { email, password } });
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"token"')]);
    return answer.json.data.token;
  }

  return {
    call,
    bodyOf,
    /** A token of a user who can sign in. */
    logIn,
    /** An account created by v1. */
    async register(given: object = {}, options: CallOptions = {}): Promise<V1Account> {
      const body = bodyOf(given);
      const answer = await call('POST', '/register', { ...options, body });
      expect([answer.status, answer.text]).toEqual([201, expect.stringContaining('"user"')]);
      return { email: body.email, password: body.password, user: answer.json.data.user };
    },
    me: (token: string, options: CallOptions = {}) => call('GET', '/me', { ...options, token }),
    exchange: (token: unknown, options: CallOptions = {}) =>
      service().call('POST', '/auth/token/from-v1', { ...options, body: { v1_token: token } }),
    rowOf: (email: string) => service().database.prisma.user.findFirstOrThrow({ where: { email } }),
    tokensOf: (uid: string) => service().database.prisma.v1Token.findMany({ where: { uid } }),
  };
}

/** A refusal of v1: one sentence and nothing else. */
export function expectV1Refusal(
  answer: Pick<Answer, 'status' | 'headers' | 'text'>,
  status: number,
  message?: string,
): void {
  expect({ status: answer.status, text: answer.text }).toEqual({ status, text: expect.any(String) });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  const body = JSON.parse(answer.text);
  expect(StrictV1Error.safeParse(body).error).toBeUndefined();
  expect(body.message).toMatch(/^[A-Z].*\.$/);
  if (message !== undefined) expect(body.message).toBe(message);
  if (status === 500) {
    const id = answer.headers.get('x-request-id');
    expect(body.message).toBe(`An internal error occurred. Request ${id}.`);
  }
  if (status === 429 || status === 503) {
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
}
