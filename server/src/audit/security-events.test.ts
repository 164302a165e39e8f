// What users do to their accounts, and failed attempts, as the audit log records them.
import type { AuditEntry } from '@foyer/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { codeScenario, wrongCode } from '../../test/code-scenario.js';
import { claimsOf, type TestService, type TestUser } from '../../test/harness.js';
import { providerScenario } from '../../test/provider-scenario.js';
import { shared } from '../../test/shared.js';

const providers = shared(() => providerScenario());
let service: TestService;
beforeAll(() => {
  service = providers.service;
});

const scenario = codeScenario(() => service);

/** Oldest first. */
async function entries(query: Record<string, string>): Promise<AuditEntry[]> {
  const parameters = new URLSearchParams({ limit: '100', ...query });
  const answer = await service.call<{ items: AuditEntry[] }>('GET', `/admin/audit-log?${parameters}`, {
    token: service.app.secretKey,
  });
  expect(answer.status).toBe(200);
  return answer.data.items.reverse();
}

const told = (items: AuditEntry[]) => items.map(({ action, details }) => [action, details]);
const actionsOf = async (uid: string) => (await entries({ uid })).map(({ action }) => action);
const lastOf = async (uid: string) => (await entries({ uid })).at(-1);
const sessionOf = (token: string) => claimsOf(token).sid as string;
const ownEntry = (uid: string) => ({ actor: `user:${uid}`, target: `user:${uid}`, ip_address: '127.0.0.1' });
const failed = (uid: string | null, method: string, reason: string) => ({
  actor: 'anonymous',
  action: 'user.sign_in_failed',
  target: uid === null ? `app:${service.app.app.id}` : `user:${uid}`,
  uid,
  ip_address: '127.0.0.1',
  details: { method, reason },
});
const signIn = (email: string, password: string) =>
  service.call('POST', '/auth/sign-in', { body: { email, password } });

describe('a sign-in is recorded with its method and session:', () => {
  test('sign-up, and sign-in with the password', async () => {
    const user = await service.signUp();
    const { data } = await service.signIn(user);
    const entry = (action: string, token: string) => ({
      ...ownEntry(user.uid),
      action,
      details: { method: 'password', session: sessionOf(token) },
    });
    expect(await entries({ uid: user.uid })).toMatchObject([
      entry('user.signed_up', user.tokens.access_token),
      entry('user.signed_in', data.access_token),
    ]);
  });

  test('the emailed code, for a new account and an existing one', async () => {
    const email = 'by-code@example.com';
    const first = await scenario.verify(email, await scenario.signInCode(email));
    service.clock.advance(31_000);
    await scenario.verify(email, await scenario.signInCode(email));
    expect(told(await entries({ uid: first.data.user.uid }))).toEqual([
      ['user.signed_up', expect.objectContaining({ method: 'email_code' })],
      ['user.signed_in', expect.objectContaining({ method: 'email_code' })],
    ]);
  });

  test('either provider, including an automatic link to an account', async () => {
    const claims = { sub: 'a-1', email: 'by-provider@example.com' };
    const { data } = await providers.signInA(await providers.bodyOfA({ claims }));
    await providers.signInB(await providers.bodyOfB({ claims: { ...claims, sub: 'b-1' } }));
    expect(told(await entries({ uid: data.user.uid }))).toEqual([
      ['user.signed_up', expect.objectContaining({ method: 'provider_a' })],
      ['identity.linked', { provider: 'provider-b' }],
      ['user.signed_in', expect.objectContaining({ method: 'provider_b' })],
    ]);
  });
});

test('a wrong code for the current email or a new one is recorded', async () => {
  const { uid, email, tokens } = await service.signUp();
  const token = tokens.access_token;
  const confirm = (code: string) =>
    service.call('POST', '/auth/email/verification/confirm', { token, body: { code } });
  await confirm(wrongCode(await scenario.verificationCode({ email, token })));
  await confirm(wrongCode(await scenario.changeCode(token, `next-${email}`)));
  const details = { method: 'email_code', reason: 'auth/invalid-code' };
  const entry = { ...ownEntry(uid), action: 'user.email_confirmation_failed', details };
  expect((await entries({ uid })).slice(1)).toMatchObject([entry, entry]);
});

test('a failed link to a provider is recorded', async () => {
  const claims = { sub: 'linked-elsewhere', email: 'linked-elsewhere@example.com' };
  await providers.signInA(await providers.bodyOfA({ claims }));
  const { uid, tokens } = await service.signUp();
  const link = (body: object) =>
    service.call('POST', '/me/identities/provider-a', { token: tokens.access_token, body });
  await link({ ...(await providers.bodyOfA()), nonce: 'another' });
  await link(await providers.bodyOfA({ claims: { ...claims, jti: 'again' } }));
  const reasons = ['auth/invalid-credential', 'auth/credential-already-in-use'];
  const by = { actor: `user:${uid}`, ip_address: '127.0.0.1', action: 'identity.link_failed' };
  expect((await entries({ uid })).slice(1)).toMatchObject(
    reasons.map((reason) => ({ ...by, details: { method: 'provider_a', reason } })),
  );
});

describe('a failed sign-in is recorded', () => {
  test('for the account that was tried', async () => {
    const { uid, email } = await service.signUp();
    await signIn(email, 'a wrong password');
    expect(await lastOf(uid)).toMatchObject(failed(uid, 'password', 'auth/invalid-credential'));

    const code = await scenario.signInCode(email);
    await scenario.verify(email, wrongCode(code));
    expect(await lastOf(uid)).toMatchObject(failed(uid, 'email_code', 'auth/invalid-code'));
    service.clock.advance(600_001);
    await scenario.verify(email, code);
    expect(await lastOf(uid)).toMatchObject(failed(uid, 'email_code', 'auth/code-expired'));

    await providers.signInA(await providers.bodyOfA({ claims: { sub: 'not-linked', email } }));
    const conflict = 'auth/account-exists-with-different-credential';
    expect(await lastOf(uid)).toMatchObject(failed(uid, 'provider_a', conflict));
  });

  test('for a disabled account', async () => {
    const claims = { sub: 'disabled', email: 'disabled@example.com' };
    const { uid } = (await providers.signInA(await providers.bodyOfA({ claims }))).data.user;
    const where = { appId_id: { appId: service.app.app.id, id: uid } };
    await service.database.prisma.user.update({ where, data: { disabled: true } });
    await providers.signInA(await providers.bodyOfA({ claims: { ...claims, jti: 'again' } }));
    expect(await lastOf(uid)).toMatchObject(failed(uid, 'provider_a', 'auth/user-disabled'));
  });

  test('for the app if there is no account, and no row contains the email', async () => {
    const email = 'nobody-knows-me@example.com';
    await signIn(email, 'a password');
    await scenario.verify(email, '000000');
    await providers.signInA({ ...(await providers.bodyOfA()), nonce: 'another' });
    const target = `app:${service.app.app.id}`;
    const found = await entries({ target, action: 'user.sign_in_failed' });
    // All from one network, in one minute.
    expect(found).toMatchObject([
      { uid: null, actor: 'anonymous', details: { count: 3 }, ip_address: '127.0.0.1' },
    ]);
    const rows = await service.auditEntries();
    expect(JSON.stringify(rows)).not.toContain('nobody-knows-me');
  });
});

test('account changes by a user are recorded in order', async () => {
  const { uid, email, password, tokens } = await service.signUp();
  const token = tokens.access_token;
  const options = { token };
  await service.call('POST', '/auth/email/verification/confirm', {
    ...options,
    body: { code: await scenario.verificationCode({ email, token }) },
  });
  const body = { password: 'another password', current_password: password };
  await service.call('PUT', '/me/password', { ...options, body });
  await service.call('POST', '/auth/email/verification/confirm', {
    ...options,
    body: { code: await scenario.changeCode(token, `next-${email}`) },
  });
  await scenario.reset(`next-${email}`, await scenario.resetCode(`next-${email}`));
  expect(await actionsOf(uid)).toEqual([
    'user.signed_up',
    'user.email_verified',
    'user.password_changed',
    'user.email_changed',
    'user.password_reset',
  ]);
  for (const entry of await entries({ uid })) {
    expect(entry).toMatchObject({ actor: `user:${uid}`, ip_address: '127.0.0.1' });
    const { actor_name, target_name, ...stored } = entry;
    expect([actor_name, target_name]).toEqual([`next-${email}`, `next-${email}`]);
    expect(JSON.stringify(stored)).not.toContain('example.com');
  }
});

test('ended sessions are recorded with the session', async () => {
  const user = await service.signUp();
  const [second, third] = [(await service.signIn(user)).data, (await service.signIn(user)).data];
  const ended = sessionOf(second.access_token);
  await service.call('DELETE', `/me/sessions/${ended}`, { token: third.access_token });
  await service.call('POST', '/auth/sign-out', { token: third.access_token });
  await service.call('POST', '/auth/sign-out-all', { token: user.tokens.access_token });
  const items = (await entries({ uid: user.uid })).slice(3);
  expect(items.map(({ action, target }) => [action, target])).toEqual([
    ['session.ended', `session:${ended}`],
    ['user.signed_out', `session:${sessionOf(third.access_token)}`],
    ['user.signed_out_everywhere', `user:${user.uid}`],
  ]);
  // An ended session is not ended again.
  await service.call('POST', '/auth/sign-out', { token: third.access_token });
  expect(await entries({ uid: user.uid })).toHaveLength(6);
});

test('failed reauthentications of a signed-in user are recorded', async () => {
  const { uid, email, tokens } = await service.signUp();
  const token = tokens.access_token;
  const again = (body: object) => service.call('POST', '/auth/reauthenticate', { token, body });
  await again({ password: 'a wrong password' });
  await again({ code: wrongCode(await scenario.signInCode(email)) });
  await again({ provider_a: await providers.bodyOfA({ claims: { sub: 'somebody-else' } }) });
  const body = { password: 'a new password', current_password: 'a wrong password' };
  await service.call('PUT', '/me/password', { token, body });
  const failure = (method: string, reason: string) => ({
    actor: `user:${uid}`,
    action: 'user.reauthentication_failed',
    details: { method, reason },
  });
  expect((await entries({ uid })).slice(1)).toMatchObject([
    failure('password', 'auth/invalid-credential'),
    failure('email_code', 'auth/invalid-code'),
    failure('provider_a', 'auth/invalid-credential'),
    failure('password', 'auth/invalid-credential'),
  ]);
});

test('a password reset with a wrong code is recorded for the account', async () => {
  const { uid, email } = await service.signUp();
  await scenario.reset(email, wrongCode(await scenario.resetCode(email)));
  expect(await lastOf(uid)).toMatchObject({
    actor: 'anonymous',
    action: 'user.password_reset_failed',
    details: { method: 'email_code', reason: 'auth/invalid-code' },
  });
});

test('the removal of unproven credentials by an emailed code is recorded', async () => {
  const user = await service.signUp();
  await scenario.verify(user.email, await scenario.signInCode(user.email));
  expect(told(await entries({ uid: user.uid })).slice(1)).toEqual([
    ['user.unproven_removed', { password: true, identities: 0, passkeys: 0, second_factor: false }],
    ['user.signed_in', expect.objectContaining({ method: 'email_code' })],
  ]);
});

test('a failure written after its account was deleted has neither IP address nor details', async () => {
  const user: TestUser = await service.signUp();
  const token = user.tokens.access_token;
  await service.call('POST', '/auth/reauthenticate', { token, body: { password: 'wrong' } });
  await service.call('DELETE', '/me', { token });
  expect(await lastOf(user.uid)).toMatchObject({ action: 'user.deleted' });
  const failure = (await entries({ uid: user.uid })).find(
    ({ action }) => action === 'user.reauthentication_failed',
  );
  expect([failure?.uid, failure?.ip_address, failure?.details]).toEqual([user.uid, null, {}]);
});

test('the stored entries of a deleted account lose IP address and details, also one that is written after the deletion', async () => {
  const user: TestUser = await service.signUp();
  const token = user.tokens.access_token;
  await service.call('POST', '/auth/reauthenticate', { token, body: { password: 'wrong' } });
  expect((await service.auditEntries({ uid: user.uid })).map(({ details }) => details)).toEqual([
    expect.objectContaining({ method: 'password' }),
    { method: 'password', reason: 'auth/invalid-credential' },
  ]);
  const entry = { appId: service.app.app.id, actor: { name: `user:${user.uid}`, ip: '192.0.2.1' } };
  // Buffered by an instance that has not written it when the account is deleted.
  const late = { ...entry, uid: user.uid, action: 'user.reauthentication_failed' as const };
  expect((await service.call('DELETE', '/me', { token })).status).toBe(204);
  service.deps.auditBuffer.add({ ...late, details: { method: 'email_code', reason: 'auth/invalid-code' } });
  await service.advance(60_000);
  const rows = await service.auditEntries({ uid: user.uid, NOT: { action: 'user.deleted' } });
  expect(rows.map(({ action, ip, details }) => [action, ip, details])).toEqual([
    ['user.signed_up', null, {}],
    ['user.reauthentication_failed', null, {}],
    ['user.reauthentication_failed', null, {}],
  ]);
});

test('the entry of a deletion by the backend keeps its IP address after the account is purged', async () => {
  const { uid } = await service.signUp();
  const deleted = await service.call('DELETE', `/admin/users/${uid}`, { token: service.app.secretKey });
  expect(deleted.status).toBe(204);
  await service.advance(60_000);
  const entries = await service.auditEntries({ uid });
  expect(entries.map(({ action, ip }) => [action, ip])).toEqual([
    ['user.signed_up', null],
    ['user.deleted', '127.0.0.1'],
  ]);
});

test('a failed exchange of a v1 token is recorded, for the account if it is known', async () => {
  const { uid, email, password } = await service.signUp();
  const { json } = await service.call('POST', '/login', { version: 'v1', body: { email, password } });
  const exchange = (v1_token: string) => service.call('POST', '/auth/token/from-v1', { body: { v1_token } });
  // Failures without a user within a minute are counted in one entry.
  service.clock.advance(60_000);
  await exchange('b3c1'.repeat(16));
  const target = `app:${service.app.app.id}`;
  expect((await entries({ target })).at(-1)).toMatchObject(failed(null, 'v1_exchange', 'auth/invalid-token'));
  const where = { appId_id: { appId: service.app.app.id, id: uid } };
  await service.database.prisma.user.update({ where, data: { disabled: true } });
  await exchange(json.data.token);
  expect(await lastOf(uid)).toMatchObject(failed(uid, 'v1_exchange', 'auth/user-disabled'));
});
