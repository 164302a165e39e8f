// POST /admin/tokens/verify as a backend sees it.
import { describe, expect, test } from 'vitest';
import { type CallOptions, claimsOf, type TestUser, testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import { rotateSigningKeys } from '../tokens/rotate-signing-keys.js';

const service = shared(() => testService());

function verify(accessToken: unknown, more: object = {}, options: CallOptions = {}) {
  const body = { access_token: accessToken, ...more };
  return service.call('POST', '/admin/tokens/verify', { token: service.app.secretKey, ...options, body });
}

const alone = { check_revoked: false };
const inactive = (reason: string) => ({ status: 200, data: { active: false, reason } });

async function change(user: TestUser, data: { disabled?: boolean; claims?: object; firstName?: string }) {
  const where = { appId_id: { appId: service.app.app.id, id: user.uid } };
  await service.database.prisma.user.update({ where, data });
}

test('a valid token is active, with its user, session, times and claims', async () => {
  const user = await service.signUp();
  await change(user, { claims: { plan: 'gold' }, firstName: 'Ada' });
  const { access_token } = (await service.refresh(user.tokens.refresh_token)).data;
  const { sid } = claimsOf(access_token);
  const answer = await verify(access_token);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.data).toEqual({
    active: true,
    uid: user.uid,
    session_id: sid,
    claims: { plan: 'gold' },
    auth_time: '2026-03-01T10:00:00.000000Z',
    issued_at: '2026-03-01T10:00:00.000000Z',
    expires_at: '2026-03-01T11:00:00.000000Z',
    user: { ...user.tokens.user, first_name: 'Ada' },
  });
  // The earlier token has its original claims; the user is current.
  const { data } = await verify(user.tokens.access_token);
  expect(data).toMatchObject({ user: { first_name: 'Ada' } });
  expect((data as { claims: object }).claims).toEqual({});
});

test('a token expires to the second', async () => {
  const { tokens } = await service.signUp();
  const { exp } = claimsOf(tokens.access_token);
  const then = service.clock.now();
  service.clock.set(new Date(exp * 1_000 - 1));
  expect(await verify(tokens.access_token)).toMatchObject({ data: { active: true } });
  service.clock.set(new Date(exp * 1_000));
  for (const more of [{}, alone]) {
    expect(await verify(tokens.access_token, more)).toMatchObject(inactive('auth/token-expired'));
  }
  service.clock.set(then);
});

describe('a token that is no longer valid', () => {
  test('after sign-out is inactive, but active with check_revoked false', async () => {
    const { uid, tokens } = await service.signUp();
    await service.call('POST', '/auth/sign-out', { token: tokens.access_token });
    expect(await verify(tokens.access_token)).toMatchObject(inactive('auth/invalid-token'));
    expect((await verify(tokens.access_token, alone)).data).toMatchObject({
      active: true,
      uid,
      user: { uid },
    });
  });

  test('of a disabled account reports that, but is active with check_revoked false', async () => {
    const user = await service.signUp();
    await change(user, { disabled: true });
    expect(await verify(user.tokens.access_token)).toMatchObject(inactive('auth/user-disabled'));
    expect((await verify(user.tokens.access_token, alone)).data).toMatchObject({ active: true });
  });

  test('of a deleted account is inactive, but active without a user with check_revoked false', async () => {
    const { uid, tokens } = await service.signUp();
    await service.call('DELETE', '/me', { token: tokens.access_token });
    expect(await verify(tokens.access_token)).toMatchObject(inactive('auth/invalid-token'));
    expect((await verify(tokens.access_token, alone)).data).toMatchObject({ active: true, uid, user: null });
  });
});

test('tokens of another app and forged tokens reveal nothing', async () => {
  const other = await service.newApp();
  const theirs = await service.signUp({ appKey: other.app.appKey });
  const { tokens } = await service.signUp();
  const [header, , signature] = tokens.access_token.split('.');
  // Some of those that tokens/access-token.test.ts has.
  const bad = [
    theirs.tokens.access_token,
    tokens.refresh_token,
    service.app.secretKey,
    '',
    'x'.repeat(90_000),
    `${header}.${Buffer.from('{}').toString('base64url')}.${signature}`,
    ` ${tokens.access_token}`,
  ];
  for (const token of bad) {
    for (const more of [{}, alone]) {
      const answer = await verify(token, more);
      expect(answer.text).toBe('{"data":{"active":false,"reason":"auth/invalid-token"}}');
    }
  }
  // An expired one reveals nothing either.
  service.clock.advance(3_600_001);
  expect(await verify(theirs.tokens.access_token)).toMatchObject(inactive('auth/invalid-token'));
  service.clock.advance(-3_600_001);
});

test('a token signed by a key that another instance has just created is active', async () => {
  const second = await service.secondInstance();
  await rotateSigningKeys(second.deps, 'ES256');
  await rotateSigningKeys(second.deps, 'ES256');
  await second.deps.signingKeys.reload('now');
  const { tokens } = await second.signUp();
  service.clock.advance(1_000);
  expect(await verify(tokens.access_token)).toMatchObject({ data: { active: true } });
  await second.stop();
});
