// An app trusts the custom claims in a token. No sign-in endpoint lets the user write them or any other field that only
// the app may write: neither by the body nor by what a provider asserts.
import { randomUUID } from 'node:crypto';
import type { TokenAnswer } from '@foyer/contract';
import { expect, test } from 'vitest';
import { codeScenario, newEmail } from './code-scenario.js';
import { claimsOf } from './harness.js';
import { providerScenario } from './provider-scenario.js';
import { shared } from './shared.js';

const providers = shared(providerScenario);

const codes = codeScenario(() => providers.service);
const evil = {
  claims: { role: 'admin' },
  custom_claims: { role: 'admin' },
  points: 9,
  disabled: true,
  member_id: 'mine',
};
const password = 'correct horse battery staple';

const waysIn: [string, (email: string) => Promise<TokenAnswer>][] = [
  [
    'sign-up',
    async (email) =>
      (
        await providers.service.call<TokenAnswer>('POST', '/auth/sign-up', {
          body: { email, password, ...evil },
        })
      ).data,
  ],
  [
    'an emailed code',
    async (email) => (await codes.verify(email, await codes.signInCode(email), { body: evil })).data,
  ],
  [
    'provider A',
    async (email) => {
      const body = await providers.bodyOfA({ claims: { ...evil, sub: randomUUID(), email } });
      return (await providers.signInA({ ...body, ...evil })).data;
    },
  ],
  [
    'provider B',
    async (email) => {
      const body = await providers.bodyOfB({ claims: { ...evil, sub: randomUUID(), email } });
      return (await providers.signInB({ ...body, ...evil })).data;
    },
  ],
  [
    'v1',
    async (email) => {
      const { service } = providers;
      const names = { first_name: 'Eve', last_name: 'Doe' };
      const account = { ...names, email, password, password_confirmation: password };
      await service.call('POST', '/register', { version: 'v1', body: { ...account, ...evil } });
      const login = { email, password, ...evil };
      const { json } = await service.call('POST', '/login', { version: 'v1', body: login });
      const body = { v1_token: json.data.token, ...evil };
      return (await service.call<TokenAnswer>('POST', '/auth/token/from-v1', { body })).data;
    },
  ],
];

test.each(waysIn)('%s writes no field that only the app may write', async (_way, signIn) => {
  const { service } = providers;
  const email = newEmail();
  const answer = await signIn(email);
  expect(claimsOf(answer.access_token)).not.toHaveProperty('claims');
  const token = answer.access_token;
  const body = { first_name: 'Eve', email: 'eve@example.com', email_verified: true, uid: 'x', ...evil };
  const verified = answer.user.email_verified;
  const change = await service.call('PATCH', '/me', { token, body });
  expect(change.status).toBe(200);
  const where = { appId_id: { appId: service.app.app.id, id: answer.user.uid } };
  const row = await service.database.prisma.user.findUniqueOrThrow({ where });
  const unchanged = { email, emailVerified: verified, claims: {}, points: 0, disabled: false };
  expect(row).toMatchObject({ firstName: 'Eve', ...unchanged });
  expect(row.memberId).not.toBe('mine');
  const { data } = await service.refresh(answer.refresh_token);
  expect(claimsOf(data.access_token)).not.toHaveProperty('claims');
});
