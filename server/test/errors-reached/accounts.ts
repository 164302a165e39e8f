// Errors of sign-in, tokens, sessions, codes and identities.
import { expect } from 'vitest';
import { newPassword, wrongCode } from '../code-scenario.js';
import { type Sent, unknownId } from '../contract-routes.js';
import type { Context, ReachedOf } from './context.js';

export function authErrors(context: Context): ReachedOf<'auth'> {
  const { providers, service, user, asUser, asBackend, scenario, send, on } = context;
  const { email } = user;
  const link = async (claims: object): Promise<Sent> => ({
    ...asUser,
    params: { provider: 'provider-a' },
    body: await providers.bodyOfA({ claims: { ...claims } }),
  });

  return {
    'auth/email-already-in-use': on('signIn.signUp', { body: { email, password: 'long enough' } }),
    'auth/weak-password': on('signIn.signUp', { body: { email: 'new@example.com', password: '7 chars' } }),
    'auth/invalid-credential': on('signIn.withPassword', { body: { email, password: 'wrong' } }),
    'auth/user-disabled': on('signIn.withPassword', async () => {
      const { uid, ...body } = await service.signUp();
      await scenario.disable(uid);
      return { body };
    }),
    'auth/invalid-token': on('profile.update', { token: 'x', body: {} }),
    'auth/token-expired': on(
      'sessions.list',
      async () => ({ token: (await service.signUp()).tokens.access_token }),
      { after: 3_600_000 },
    ),
    'auth/refresh-token-revoked': on('sessions.refresh', async () => {
      const { access_token: token, refresh_token } = (await service.signUp()).tokens;
      await send('sessions.signOut', { token });
      return { body: { refresh_token } };
    }),
    'auth/invalid-code': on('signIn.withEmailCode', async () => ({
      body: { email, code: wrongCode(await scenario.signInCode(email)) },
    })),
    'auth/code-expired': on(
      'passwords.reset',
      async () => ({ body: { email, code: await scenario.resetCode(email), password: newPassword } }),
      { after: 600_001 },
    ),
    'auth/requires-recent-login': on('profile.delete', asUser, { after: 300_001 }),
    'auth/operation-not-allowed': on('signIn.withProviderA', async () => ({
      appKey: (await service.newApp()).app.appKey,
      body: await providers.bodyOfA(),
    })),
    'auth/account-exists-with-different-credential': on('signIn.withProviderB', async () => ({
      body: await providers.bodyOfB({ claims: { sub: 'of-an-unverified-email', email } }),
    })),
    'auth/credential-already-in-use': on('identities.link', async () => {
      const claims = { sub: 'of-another-user', email: 'other@example.com' };
      await providers.signInA(await providers.bodyOfA({ claims }));
      return link({ ...claims, jti: 'another token' });
    }),
    'auth/provider-already-linked': on('identities.link', async () => {
      expect((await send('identities.link', await link({ sub: 'first' }))).status).toBe(201);
      return link({ sub: 'second' });
    }),
    'auth/no-such-provider': on('identities.unlink', { ...asUser, params: { provider: 'provider-b' } }),
    'auth/user-not-found': on('users.get', { ...asBackend, params: { uid: unknownId } }),
    'auth/session-not-found': on('sessions.end', { ...asUser, params: { id: unknownId } }),
  };
}
