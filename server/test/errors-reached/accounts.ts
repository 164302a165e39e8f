// Errors of sign-in, tokens, sessions, codes and identities.

import { limits } from '@foyer/contract';
import { expect } from 'vitest';
import { newEmail, newPassword, wrongCode } from '../code-scenario.js';
import { type Sent, unknownId } from '../contract-routes.js';
import { forgedRegistration, newAuthenticator, passkeyScenario } from '../passkey-scenario.js';
import { redirectScenario } from '../redirect-scenario.js';
import type { Context, ReachedOf } from './context.js';

export function authErrors(context: Context): ReachedOf<'auth'> {
  const { providers, service, user, asUser, asBackend, scenario, send, on } = context;
  const { email } = user;
  const link = async (claims: object): Promise<Sent> => ({
    ...asUser,
    params: { provider: 'provider-a' },
    body: await providers.bodyOfA({ claims: { ...claims } }),
  });

  const passkeys = passkeyScenario(() => service);
  const redirects = redirectScenario(() => providers);

  return {
    'auth/email-already-in-use': on('signIn.signUp', { body: { email, password: 'long enough' } }),
    'auth/weak-password': on('signIn.signUp', { body: { email: 'new@example.com', password: '7 chars' } }),
    'auth/invalid-credential': on('signIn.withPassword', { body: { email, password: 'wrong' } }),
    'auth/email-required': on('signIn.withProviderA', async () => ({
      body: await providers.bodyOfA({ claims: { sub: 'without-an-email', email: undefined } }),
    })),
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
    'auth/user-cancelled': {
      route: 'signIn.redirectCallback',
      async redirected() {
        await redirects.enable();
        const { state = '', iss = '' } = redirects.returned(await redirects.begin());
        return (await redirects.goTo({ state, iss, error: 'access_denied' })).parameters.get('error');
      },
    },
    'auth/passkey-already-registered': on('passkeys.create', async () => {
      await passkeys.enable();
      const { tokens } = await service.signUp();
      const device = newAuthenticator();
      const { data } = await passkeys.creationOptions(tokens.access_token);
      const credential = device.create(data);
      const { public_key } = (await passkeys.creationOptions(tokens.access_token)).data;
      expect((await passkeys.add(tokens.access_token, credential)).status).toBe(201);
      const again = forgedRegistration(credential, { clientData: { challenge: public_key.challenge } });
      return { token: tokens.access_token, body: { credential: again } };
    }),
    'auth/too-many-passkeys': on('passkeys.creationOptions', async () => {
      await passkeys.enable();
      const { access_token: token } = (await service.signUp()).tokens;
      for (let count = 0; count < limits.passkeysPerUser; count += 1) await passkeys.register(token);
      return { token };
    }),
    'auth/passkey-not-found': on('passkeys.remove', { ...asUser, params: { id: unknownId } }),
    'auth/last-sign-in-method': on('passkeys.remove', async () => {
      await passkeys.enable();
      const { access_token: token, user: owner } = await scenario.signInByCode(newEmail());
      const { passkey } = await passkeys.register(token);
      const params = { uid: owner.uid };
      expect((await send('users.update', { ...asBackend, params, body: { email: newEmail() } })).status).toBe(
        200,
      );
      return { token, params: { id: passkey.id } };
    }),
    'auth/second-factor-required': on('signIn.signUp', async () => {
      const app = await service.newApp();
      await scenario.set({ second_factor: 'required' }, app);
      return { appKey: app.app.appKey, body: { email: 'second@example.com', password: newPassword } };
    }),
    'auth/second-factor-not-enrolled': on('secondFactor.removeTotp', asUser),
    'auth/user-not-found': on('users.get', { ...asBackend, params: { uid: unknownId } }),
    'auth/session-not-found': on('sessions.end', { ...asUser, params: { id: unknownId } }),
  };
}
