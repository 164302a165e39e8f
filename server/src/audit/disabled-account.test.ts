// A sign-in to a disabled account is in the audit log, whichever way in was used.
import { beforeAll, expect, test } from 'vitest';
import { codeScenario } from '../../test/code-scenario.js';
import type { Answer, TestService } from '../../test/harness.js';
import { providerScenario } from '../../test/provider-scenario.js';
import { shared } from '../../test/shared.js';
import { memberPassword, type TeamScenario, teamScenario, tokenIn } from '../../test/team-scenario.js';
import { v1Scenario } from '../../test/v1-scenario.js';

const providers = shared(() => providerScenario());
let service: TestService;
let team: TeamScenario;
beforeAll(async () => {
  service = providers.service;
  team = await teamScenario(() => service);
});
const codes = codeScenario(() => service);
const v1 = v1Scenario(() => service);

const password = 'correct horse battery staple';
const newPassword = 'another long password';
const claimsOf = (email: string) => ({ sub: email.slice(0, 30), email, email_verified: true });

/** `prepare` runs while the account is enabled; what it returns is the right credential of the way in. */
type WayIn = {
  method: string;
  action?: string;
  prepare?: (email: string) => Promise<unknown>;
  enter: (email: string, prepared: never) => Promise<Answer>;
};

const ways: Record<string, WayIn> = {
  'sign-in with the password': {
    method: 'password',
    enter: (email) => service.signIn({ email, password }),
  },
  'sign-in with an emailed code': {
    method: 'email_code',
    prepare: (email) => codes.signInCode(email),
    enter: (email, code: string) => codes.verify(email, code),
  },
  'a password reset': {
    method: 'email_code',
    action: 'user.password_reset_failed',
    prepare: (email) => codes.resetCode(email),
    enter: (email, code: string) => codes.reset(email, code),
  },
  'provider A': {
    method: 'provider_a',
    enter: async (email) => providers.signInA(await providers.bodyOfA({ claims: claimsOf(email) })),
  },
  'provider B': {
    method: 'provider_b',
    enter: async (email) => providers.signInB(await providers.bodyOfB({ claims: claimsOf(email) })),
  },
  'sign-in of v1': {
    method: 'password',
    enter: (email) => v1.call('POST', '/login', { body: { email, password } }),
  },
  'a password reset of v1': {
    method: 'email_code',
    action: 'user.password_reset_failed',
    prepare: (email) => codes.resetCode(email),
    enter: (email, code: string) =>
      v1.call('POST', '/password/reset', {
        body: { email, code, password: newPassword, password_confirmation: newPassword },
      }),
  },
  'the exchange of a v1 token': {
    method: 'v1_exchange',
    prepare: (email) => v1.logIn({ email, password }),
    enter: (_email, token: string) => v1.exchange(token),
  },
};

test.each(Object.entries(ways))(
  '%s',
  async (_, { method, action = 'user.sign_in_failed', prepare, enter }) => {
    const { uid, email } = await service.signUp({ password });
    // Links by a verified email, and codes that prove it, need one.
    const where = { appId_id: { appId: service.app.app.id, id: uid } };
    await service.database.prisma.user.update({ where, data: { emailVerified: true } });
    const prepared = (await prepare?.(email)) as never;
    await service.database.prisma.user.update({ where, data: { disabled: true } });
    const { status } = await enter(email, prepared);
    expect(status).toBe(403);
    const failures = await service.auditEntries({ uid, action });
    expect(failures.map(({ actor, target, details, ip }) => ({ actor, target, details, ip }))).toEqual([
      {
        ...{ actor: 'anonymous', target: `user:${uid}`, ip: '127.0.0.1' },
        details: { method, reason: 'auth/user-disabled' },
      },
    ]);
  },
);

test('an invitation that is accepted with the password of a disabled team account', async () => {
  const { id: appId } = service.app.app;
  const { uid, email } = await team.newMember((await service.newApp()).app.id, 'viewer');
  const { link } = await team.invite(appId, { email, role: 'viewer' });
  const where = { appId_id: { appId: team.consoleApp.id, id: uid } };
  await service.database.prisma.user.update({ where, data: { disabled: true } });
  const answer = await team.accept({ token: tokenIn(link), password: memberPassword });
  expect(answer.code).toBe('auth/user-disabled');
  expect(await service.auditEntries({ uid, action: 'user.sign_in_failed' })).toMatchObject([
    { appId: team.consoleApp.id, details: { method: 'password', reason: 'auth/user-disabled' } },
  ]);
});
