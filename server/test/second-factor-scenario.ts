// The steps that scenarios of second factors share. The codes are those of another library than the service's.
import type { Factors, TokenAnswer } from '@foyer/contract';
import { generateSync } from 'otplib';
import { expect } from 'vitest';
import type { Answer, CallOptions, TestService } from './harness.js';

export const stepMilliseconds = 30_000;

type Enrollment = { secret: string; uri: string };
export type Enrolled = { secret: string; recoveryCodes: string[] };
export type CompletedAnswer = TokenAnswer & { is_new_user?: boolean; recovery_codes?: string[] };

export function secondFactorScenario(service: () => TestService) {
  /** The code of the authenticator app, now or so many steps later. */
  function codeOf(secret: string, steps = 0): string {
    const epoch = Math.floor((service().clock.now().getTime() + steps * stepMilliseconds) / 1_000);
    return generateSync({ secret, epoch });
  }

  const begin = (token: string, options: CallOptions = {}) =>
    service().call<Enrollment>('POST', '/me/factors/totp', { ...options, token });
  const confirm = (token: string, code: string, options: CallOptions = {}) =>
    service().call<{ recovery_codes: string[] }>('POST', '/me/factors/totp/confirm', {
      ...options,
      token,
      body: { code },
    });

  /** Enrolls a signed-in user, and moves on to a step in which no code has been used. */
  async function enroll({ token, ...options }: { token: string } & CallOptions): Promise<Enrolled> {
    const { secret } = (await begin(token, options)).data;
    const answer = await confirm(token, codeOf(secret), options);
    expect([answer.status, answer.code]).toEqual([200, undefined]);
    service().clock.advance(2 * stepMilliseconds);
    return { secret, recoveryCodes: answer.data.recovery_codes };
  }

  return {
    codeOf,
    begin,
    confirm,
    enroll,
    read: (token: string, options: CallOptions = {}) =>
      service().call<Factors>('GET', '/me/factors', { ...options, token }),
    remove: (token: string, options: CallOptions = {}) =>
      service().call('DELETE', '/me/factors/totp', { ...options, token }),
    complete: (body: object, options: CallOptions = {}) =>
      service().call<CompletedAnswer>('POST', '/auth/second-factor', { ...options, body }),
    beginWithTicket: (ticket: string, options: CallOptions = {}) =>
      service().call<Enrollment>('POST', '/auth/second-factor/enroll', { ...options, body: { ticket } }),
    confirmWithTicket: (ticket: string, code: string, options: CallOptions = {}) =>
      service().call<CompletedAnswer>('POST', '/auth/second-factor/enroll/confirm', {
        ...options,
        body: { ticket, code },
      }),
    /** A user of the app with an authenticator app. */
    async enrolledUser() {
      const user = await service().signUp();
      return { ...user, ...(await enroll({ token: user.tokens.access_token })) };
    },
    /** Signs in by password as far as the second step. */
    async ticketOf(user: { email: string; password: string }, options: CallOptions = {}): Promise<string> {
      return ticketIn(await service().signIn(user, options));
    },
  };
}

/** The ticket of a refusal, which offers these factors. */
export function ticketIn(answer: Answer, factors = ['totp', 'recovery_code']): string {
  expect([answer.status, answer.code]).toEqual([403, 'auth/second-factor-required']);
  const { fields } = answer.json.error;
  expect(fields).toEqual({ ticket: [expect.stringMatching(/^sf_[A-Za-z0-9_-]+$/)], factors });
  return fields.ticket[0];
}
