// Notices to the owner of an account, and cancellation of an email change that an attacker may have requested.
import type { AuditEntry } from '@foyer/contract';
import { describe, expect, test } from 'vitest';
import { codeScenario, invalidCode, newEmail } from '../../test/code-scenario.js';
import { type TestUser, testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';

const service = shared(() => testService());
const limited = shared(() => service.secondInstance({ rateLimits: true }));

const scenario = codeScenario(() => service);
const asAdmin = (method: string, path: string, body?: object) =>
  service.call(method, path, { token: service.app.secretKey, ...(body && { body }) });
const newPassword = 'an entirely new password';

describe('a pending change of email is cancelled', () => {
  const ends: [string, (user: TestUser, token: string) => Promise<unknown>][] = [
    ['with sign-out-all', (_, token) => service.call('POST', '/auth/sign-out-all', { token })],
    ['with a reset', async ({ email }) => scenario.reset(email, await scenario.resetCode(email))],
    [
      'with a change of password, which spares the session',
      (_, token) => service.call('PUT', '/me/password', { token, body: { password: newPassword } }),
    ],
    [
      'when the backend revokes the sessions',
      ({ uid }) => asAdmin('POST', `/admin/users/${uid}/revoke-sessions`),
    ],
    [
      'when the account is disabled',
      async ({ uid }) => {
        await asAdmin('PATCH', `/admin/users/${uid}`, { disabled: true });
        await asAdmin('PATCH', `/admin/users/${uid}`, { disabled: false });
      },
    ],
  ];
  test.each(ends)('%s', async (_, end) => {
    const user = await service.signUp();
    const code = await scenario.changeCode(user.tokens.access_token, newEmail());
    await end(user, user.tokens.access_token);
    const { access_token } = await scenario.signInByCode(user.email);
    expect(await scenario.confirm(access_token, code)).toMatchObject(invalidCode);
    expect((await scenario.userRow(user.uid)).email).toBe(user.email);
  });

  test('but not by the sign-out of another session', async () => {
    const user = await service.signUp();
    const other = (await service.signIn(user)).data.access_token;
    const next = newEmail();
    const code = await scenario.changeCode(user.tokens.access_token, next);
    await service.call('POST', '/auth/sign-out', { token: other });
    expect((await scenario.confirm(user.tokens.access_token, code)).data).toMatchObject({ email: next });
  });
});

describe('a mail notifies the owner', () => {
  test.each<[string, (user: TestUser) => Promise<{ status: number }>]>([
    ['the user', ({ tokens }) => service.call('DELETE', '/me', { token: tokens.access_token })],
    ['the backend', ({ uid }) => asAdmin('DELETE', `/admin/users/${uid}`)],
    [
      'v1',
      async ({ email, password }) => {
        const { json } = await service.call('POST', '/login', { version: 'v1', body: { email, password } });
        return service.call('DELETE', '/account/delete', { version: 'v1', token: json.data.token });
      },
    ],
  ])('that the account was deleted, by %s', async (_, remove) => {
    const user = await service.signUp();
    expect((await remove(user)).status).toBeLessThan(300);
    expect(await scenario.mailed(user.email, 'account_deleted')).toHaveLength(1);
  });

  test('that the email was changed, even if its limit of notices is used up', async () => {
    const { email, tokens } = await service.signUp();
    const code = await scenario.changeCode(tokens.access_token, newEmail());
    const { app } = service.app;
    const { limiter } = limited.deps;
    for (const kind of ['password_changed', 'email_changed']) {
      for (let sent = 0; sent < 5; sent += 1)
        expect(await limiter.consumeNotice(app, email, kind, false)).toBe(true);
      expect(await limiter.consumeNotice(app, email, kind, false)).toBe(false);
    }
    expect(await limiter.consumeNotice(app, email, 'provider_linked', false)).toBe(true);
    const body = { code };
    const path = '/auth/email/verification/confirm';
    expect((await limited.call('POST', path, { token: tokens.access_token, body })).status).toBe(200);
    await limited.deps.queue.runNow();
    const mails = [...(await service.mailbox(email)), ...(limited.deps.mailer.mailbox?.mails(email) ?? [])];
    expect(
      mails.filter(({ subject }) => /^The email of your .+ account was changed$/.test(subject)),
    ).toHaveLength(1);
  });
});

describe('accounts with tags of one mailbox', () => {
  const changedPassword = async (email: string, isVerified: boolean) => {
    const { uid, tokens } = await service.signUp({ email });
    if (isVerified) await asAdmin('PATCH', `/admin/users/${uid}`, { email_verified: true });
    const body = { password: newPassword };
    const options = { token: tokens.access_token, body };
    expect((await limited.call('PUT', '/me/password', options)).status).toBe(204);
    await limited.deps.queue.runNow();
    return limited.deps.mailer.mailbox?.mails(email).length;
  };

  test('share its notices while their emails are unverified, and use up those of no other account', async () => {
    const mailed: unknown[] = [];
    for (let tag = 0; tag < 7; tag += 1)
      mailed.push(await changedPassword(`flooded+${tag}@example.com`, false));
    expect(mailed).toEqual([1, 1, 1, 1, 1, 0, 0]);
    expect(await changedPassword('flooded@example.com', false)).toBe(1);
    expect(await changedPassword('flooded+own@example.com', true)).toBe(1);
  });

  test('use up no notice of the deletion of an account with a verified email', async () => {
    const deleted = async (email: string, isVerified: boolean) => {
      const { uid, tokens } = await service.signUp({ email });
      if (isVerified) await asAdmin('PATCH', `/admin/users/${uid}`, { email_verified: true });
      expect((await limited.call('DELETE', '/me', { token: tokens.access_token })).status).toBe(204);
      await limited.deps.queue.runNow();
      return limited.deps.mailer.mailbox?.mails(email).map(({ subject }) => subject);
    };
    for (let tag = 0; tag < 5; tag += 1) await deleted(`ended+${tag}@example.com`, false);
    expect(await deleted('ended+5@example.com', false)).toEqual([]);
    expect(await deleted('ended+own@example.com', true)).toEqual([expect.stringContaining('deleted')]);
  });
});

test('a reauthentication is audited with its method and session', async () => {
  const user = await service.signUp();
  const token = user.tokens.access_token;
  expect((await scenario.reauthenticate(token, { password: user.password })).status).toBe(200);
  const code = await scenario.signInCode(user.email);
  expect((await scenario.reauthenticate(token, { code })).status).toBe(200);
  const path = `/admin/audit-log?uid=${user.uid}&action=user.reauthenticated`;
  const { data } = await service.call<{ items: AuditEntry[] }>('GET', path, { token: service.app.secretKey });
  const entry = (method: string) => ({
    actor: `user:${user.uid}`,
    target: `user:${user.uid}`,
    ip_address: '127.0.0.1',
    details: { method, session: expect.any(String) },
  });
  expect(data.items).toMatchObject([entry('email_code'), entry('password')]);
});
