import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestService, testService } from '../../test/harness.js';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.stop());

test('an account created with email and password signs in, reads its profile, refreshes and signs out', async () => {
  const user = await service.signUp({ email: '  Ada@Example.com ' });
  expect(user.tokens.user).toMatchObject({
    email: 'ada@example.com',
    email_verified: false,
    first_name: null,
  });
  const signedIn = await service.call('POST', '/auth/sign-in', {
    body: { email: 'ADA@example.com', password: user.password },
  });
  expect(signedIn.status).toBe(200);
  const me = await service.call('GET', '/me', { token: user.tokens.access_token });
  expect(me.status).toBe(200);
  const refreshed = await service.refresh(user.tokens.refresh_token);
  expect(refreshed.status).toBe(200);
  const out = await service.call('POST', '/auth/sign-out', { token: refreshed.data.access_token });
  expect([out.status, out.text]).toEqual([204, '']);
  expect((await service.refresh(refreshed.data.refresh_token)).code).toBe('auth/refresh-token-revoked');
  expect((await service.call('GET', '/me', { token: refreshed.data.access_token })).code).toBe(
    'auth/invalid-token',
  );
});
