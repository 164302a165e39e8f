// Errors of sign-in, tokens, sessions, codes and identities.
import { expect } from 'vitest';
import { wrongCode } from '../code-scenario.js';
import type { Context, ReachedOf } from './context.js';

const hour = 3_600_000;

export function authErrors({
  providers,
  service,
  user,
  token,
  scenario,
  adminCall,
}: Context): ReachedOf<'auth'> {
  const signIn = (body: unknown) => service.call('POST', '/auth/sign-in', { body });
  const signUp = (email: string, password: string) =>
    service.call('POST', '/auth/sign-up', { body: { email, password } });
  const link = (body: object) => service.call('POST', '/me/identities/provider-a', { token: token(), body });

  return {
    'auth/email-already-in-use': { route: 'signIn.signUp', ask: () => signUp(user.email, 'long enough') },
    'auth/weak-password': { route: 'signIn.signUp', ask: () => signUp('new@example.com', '7 chars') },
    'auth/invalid-credential': {
      route: 'signIn.withPassword',
      ask: () => signIn({ email: user.email, password: 'wrong' }),
    },
    'auth/user-disabled': {
      route: 'signIn.withPassword',
      async ask() {
        const disabled = await service.signUp();
        const where = { appId_id: { appId: service.app.app.id, id: disabled.uid } };
        await service.database.prisma.user.update({ where, data: { disabled: true } });
        return service.signIn(disabled);
      },
    },
    'auth/invalid-token': {
      route: 'profile.update',
      ask: () => service.call('PATCH', '/me', { token: 'x', body: {} }),
    },
    'auth/token-expired': {
      route: 'sessions.list',
      async ask() {
        const { tokens } = await service.signUp();
        service.clock.advance(hour);
        const answer = await service.call('GET', '/me/sessions', { token: tokens.access_token });
        service.clock.advance(-hour);
        return answer;
      },
    },
    'auth/refresh-token-revoked': {
      route: 'sessions.refresh',
      async ask() {
        const { tokens } = await service.signUp();
        await service.call('POST', '/auth/sign-out', { token: tokens.access_token });
        return service.refresh(tokens.refresh_token);
      },
    },
    'auth/invalid-code': {
      route: 'signIn.withEmailCode',
      ask: async () => scenario.verify(user.email, wrongCode(await scenario.signInCode(user.email))),
    },
    'auth/code-expired': {
      route: 'passwords.reset',
      async ask() {
        const code = await scenario.resetCode(user.email);
        service.clock.advance(600_001);
        const answer = await scenario.reset(user.email, code);
        service.clock.advance(-600_001);
        return answer;
      },
    },
    'auth/requires-recent-login': {
      route: 'profile.delete',
      async ask() {
        service.clock.advance(300_001);
        const answer = await scenario.deleteAccount(token());
        service.clock.advance(-300_001);
        return answer;
      },
    },
    'auth/operation-not-allowed': {
      route: 'signIn.withProviderA',
      async ask() {
        const { app } = await service.newApp();
        return providers.signInA(await providers.bodyOfA(), { appKey: app.appKey });
      },
    },
    'auth/account-exists-with-different-credential': {
      route: 'signIn.withProviderB',
      async ask() {
        const claims = { sub: 'of-an-unverified-email', email: user.email };
        return providers.signInB(await providers.bodyOfB({ claims }));
      },
    },
    'auth/credential-already-in-use': {
      route: 'identities.link',
      async ask() {
        const claims = { sub: 'of-another-user', email: 'other@example.com' };
        await providers.signInA(await providers.bodyOfA({ claims }));
        return link(await providers.bodyOfA({ claims: { ...claims, jti: 'another token' } }));
      },
    },
    'auth/provider-already-linked': {
      route: 'identities.link',
      async ask() {
        const person = (sub: string) => providers.bodyOfA({ claims: { sub } });
        expect((await link(await person('first'))).status).toBe(201);
        return link(await person('second'));
      },
    },
    'auth/no-such-provider': {
      route: 'identities.unlink',
      ask: () => service.call('DELETE', '/me/identities/provider-b', { token: token() }),
    },
    'auth/user-not-found': {
      route: 'users.get',
      ask: () => adminCall('GET', '/admin/users/01JC4Q7M0RZ9X2V5T8W3Y6K1NB'),
    },
    'auth/session-not-found': {
      route: 'sessions.end',
      ask: () => service.call('DELETE', '/me/sessions/01JC4Q7M0RZ9X2V5T8W3Y6K1NB', { token: token() }),
    },
  };
}
