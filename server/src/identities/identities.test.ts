// List, link and unlink the user's identities.
import { describe, expect, test } from 'vitest';
import { callIn } from '../../test/call-in.js';
import type { TestUser } from '../../test/harness.js';
import { down } from '../../test/identity-provider.js';
import { providerScenario } from '../../test/provider-scenario.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import { inFull } from '../../test/thorough.js';
import { findSessionOfToken } from '../sessions/find-session.js';
import { startSession } from '../sessions/start-session.js';
import { linkIdentity } from './link-identity.js';
import { proofOf } from './proof.js';
import { unlinkIdentity } from './remove-identities.js';
import { findIdentityOwner } from './store.js';

const scenario = shared(() => providerScenario());
const rounds = inFull(10, 2);

type Bearer = { token: string };
const bearer = (user: TestUser): Bearer => ({ token: user.tokens.access_token });
const list = (as: Bearer) => scenario.service.call<{ items: object[] }>('GET', '/me/identities', as);
const link = (as: Bearer, provider: string, body: object) =>
  scenario.service.call('POST', `/me/identities/${provider}`, { ...as, body });
const unlink = (as: Bearer, provider: string) =>
  scenario.service.call('DELETE', `/me/identities/${provider}`, as);

let people = 0;
function person(more: Record<string, unknown> = {}) {
  people += 1;
  return { sub: `linked-${people}`, email: `linked-${people}@elsewhere.example`, ...more };
}
const bodyOf = (provider: string, claims: Record<string, unknown>) =>
  provider === 'provider-a' ? scenario.bodyOfA({ claims }) : scenario.bodyOfB({ claims });
const signInWith = (provider: string, body: object) =>
  provider === 'provider-a' ? scenario.signInA(body) : scenario.signInB(body);

describe.each(['provider-a', 'provider-b'])('%s', (provider) => {
  test('is linked, listed, accepted for sign-in, unlinked, and then refused, with mails, events and audit', async () => {
    const user = await scenario.service.signUp();
    const as = bearer(user);
    expect((await list(as)).data).toEqual({ items: [], next_cursor: null });

    // The signed-in user owns the link: the provider's email may differ and be unverified.
    const claims = person({ email_verified: false });
    const linked = await link(as, provider, await bodyOf(provider, claims));
    const identity = {
      provider,
      email: claims.email,
      linked_at: scenario.service.clock.now().toISOString().replace('Z', '000Z'),
    };
    expect([linked.status, linked.data]).toEqual([201, identity]);
    expect((await list(as)).data).toEqual({ items: [identity], next_cursor: null });
    const entered = await signInWith(provider, await bodyOf(provider, claims));
    expect([entered.status, entered.data.user.uid]).toEqual([200, user.uid]);
    expect(entered.data.user).toMatchObject({ email: user.email, email_verified: false });

    expect((await unlink(as, provider)).status).toBe(204);
    const mails = await scenario.service.mailbox(user.email);
    expect(mails.map(({ subject }) => subject).sort()).toEqual([
      expect.stringMatching(/^A new way to sign in/),
      expect.stringMatching(/^A way to sign in to your .+ account was removed$/),
    ]);
    expect(await scenario.service.mailbox(claims.email)).toEqual([]);
    const { prisma } = scenario.service.database;
    expect(await prisma.event.count({ where: { uid: user.uid, type: 'user.updated' } })).toBe(2);
    const where = { uid: user.uid, action: { startsWith: 'identity.' } };
    const audit = await prisma.auditLog.findMany({ where, orderBy: { id: 'asc' } });
    expect(audit.map(({ action, target, details }) => [action, target, details])).toEqual([
      ['identity.linked', `user:${user.uid}`, { provider }],
      ['identity.unlinked', `user:${user.uid}`, { provider }],
    ]);
    expect((await list(as)).data.items).toEqual([]);
    expectRefusal(await signInWith(provider, await bodyOf(provider, claims)), 'auth/email-required');
    expectRefusal(await unlink(as, provider), 'auth/no-such-provider');
    // Unlinking ends no sessions.
    expect((await scenario.service.refresh(entered.data.refresh_token)).status).toBe(200);
  });

  test('a provider account belongs to one user, who links one account of the provider, and only once', async () => {
    const claims = person();
    const [first, second] = [await scenario.service.signUp(), await scenario.service.signUp()];
    expect((await link(bearer(first), provider, await bodyOf(provider, claims))).status).toBe(201);
    const refused = await link(bearer(second), provider, await bodyOf(provider, claims));
    expectRefusal(refused, 'auth/credential-already-in-use');
    expect((await list(bearer(second))).data.items).toEqual([]);
    expect(await scenario.service.mailbox(second.email)).toEqual([]);
    for (const again of [claims, person()]) {
      const repeated = await link(bearer(first), provider, await bodyOf(provider, again));
      expectRefusal(repeated, 'auth/provider-already-linked');
    }
    expect((await list(bearer(first))).data.items).toHaveLength(1);
  });

  test('renews the sign-in time only of its own user', async () => {
    const user = await scenario.service.signUp();
    const claims = person();
    await link(bearer(user), provider, await bodyOf(provider, claims));
    scenario.service.clock.advance(5 * 60_000 + 1);
    const other = await scenario.service.signUp();
    const field = provider.replace('-', '_');
    const reauthenticate = async (as: Bearer) =>
      scenario.service.call<{ access_token: string }>('POST', '/auth/reauthenticate', {
        ...as,
        body: { [field]: await bodyOf(provider, claims) },
      });
    expectRefusal(await reauthenticate(bearer(other)), 'auth/invalid-credential');
    const renewed = await reauthenticate(bearer(user));
    expect(renewed.status).toBe(200);
    expect((await unlink({ token: renewed.data.access_token }, provider)).status).toBe(204);
    expectRefusal(await reauthenticate(bearer(user)), 'auth/invalid-credential');
  });
});

test('of ten concurrent links one succeeds, whether to one user or of one provider account', async () => {
  const user = await scenario.service.signUp();
  const own = await Promise.all(
    Array.from({ length: 10 }, async () =>
      link(bearer(user), 'provider-a', await bodyOf('provider-a', person())),
    ),
  );
  expect(own.map((answer) => answer.status).sort()).toEqual([201, ...Array(9).fill(409)]);
  const claims = person();
  const users = await Promise.all(Array.from({ length: 10 }, () => scenario.service.signUp()));
  const all = await Promise.all(
    users.map(async (each) => link(bearer(each), 'provider-a', await bodyOf('provider-a', claims))),
  );
  expect(all.map((answer) => answer.status).sort()).toEqual([201, ...Array(9).fill(409)]);
});

test('the list has pages, for the user and for the team', async () => {
  const user = await scenario.service.signUp();
  for (const provider of ['provider-b', 'provider-a']) {
    expect((await link(bearer(user), provider, await bodyOf(provider, person()))).status).toBe(201);
  }
  type List = { items: { provider: string }[]; next_cursor: string | null };
  for (const [path, token] of [
    ['/me/identities', user.tokens.access_token],
    [`/admin/users/${user.uid}/identities`, scenario.service.app.secretKey],
  ] as const) {
    const page = async (query: string) =>
      (await scenario.service.call<List>('GET', `${path}?${query}`, { token })).data;
    const first = await page('limit=1');
    expect(first).toMatchObject({ items: [{ provider: 'provider-a' }], next_cursor: expect.any(String) });
    const last = await page(`limit=1&cursor=${first.next_cursor}`);
    expect(last).toMatchObject({ items: [{ provider: 'provider-b' }], next_cursor: null });
  }
});

test('the body must be the one of the provider in the path', async () => {
  const as = bearer(await scenario.service.signUp());
  const [a, b] = [await scenario.bodyOfA({ claims: person() }), await scenario.bodyOfB({ claims: person() })];
  expectRefusal(await link(as, 'provider-a', b), 'request/validation-failed', {
    id_token: [expect.any(String)],
  });
  // The body of any provider: the token is of another one.
  expectRefusal(await link(as, 'provider-b', a), 'auth/invalid-credential');
  const missing = [expect.any(String)];
  expectRefusal(await link(as, 'provider-b', { nonce: 'n' }), 'request/validation-failed', {
    id_token: missing,
    identity_token: missing,
    authorization_code: missing,
    code: missing,
    code_verifier: missing,
  });
  expectRefusal(await link(as, 'provider-b', []), 'request/validation-failed', { body: missing });
  // The provider's own body counts before the code of a redirect.
  const { data } = await link(as, 'provider-b', { ...b, code: 'a code', code_verifier: 'v'.repeat(43) });
  expect(data).toMatchObject({ provider: 'provider-b' });
  expect((await unlink(as, 'provider-b')).status).toBe(204);
  // Both bodies in one: the path selects the provider.
  expect((await link(as, 'provider-b', { ...a, ...b })).data).toMatchObject({ provider: 'provider-b' });
});

test('unknown providers are refused', async () => {
  const as = bearer(await scenario.service.signUp());
  for (const name of ['provider-c', 'provider_a', 'PROVIDER-A', 'constructor', '%20']) {
    expectRefusal(await link(as, name, await scenario.bodyOfA()), 'auth/no-such-provider');
    expectRefusal(await unlink(as, name), 'auth/no-such-provider');
  }
});

test('the last sign-in method may be unlinked: an emailed code always works', async () => {
  const claims = { ...person(), email: 'only-provider@example.com' };
  const first = (await scenario.signInA(await scenario.bodyOfA({ claims }))).data;
  expect((await unlink({ token: first.access_token }, 'provider-a')).status).toBe(204);
  expect((await scenario.verifiedUser(claims.email)).user.uid).toBe(first.user.uid);
});

test('a link whose session ends between the guard and the change is refused', async () => {
  const user = await scenario.service.signUp();
  const { deps, app } = scenario.service;
  const current = await deps.apps.fresh(app.app.id);
  const session = await findSessionOfToken(deps, current, user.tokens.access_token);
  const proof = proofOf(await scenario.bodyOfA({ claims: person() }));
  expect((await scenario.service.call('POST', '/auth/sign-out', bearer(user))).status).toBe(204);
  const call = callIn(current, { uid: user.uid, session });
  await expect(linkIdentity(deps, call, proof)).rejects.toThrow(
    expect.objectContaining({ code: 'auth/invalid-token' }),
  );
  expect(await scenario.service.database.prisma.identity.count({ where: { uid: user.uid } })).toBe(0);
});

test('an unlink whose session ends between the guard and the change is refused', async () => {
  const user = await scenario.service.signUp();
  expect((await link(bearer(user), 'provider-a', await scenario.bodyOfA({ claims: person() }))).status).toBe(
    201,
  );
  const { deps, app } = scenario.service;
  const current = await deps.apps.fresh(app.app.id);
  const session = await findSessionOfToken(deps, current, user.tokens.access_token);
  expect((await scenario.service.call('POST', '/auth/sign-out', bearer(user))).status).toBe(204);
  const call = callIn(current, { uid: user.uid, session });
  await expect(unlinkIdentity(deps, call, 'provider-a')).rejects.toThrow(
    expect.objectContaining({ code: 'auth/invalid-token' }),
  );
  expect(await scenario.service.database.prisma.identity.count({ where: { uid: user.uid } })).toBe(1);
});

test('an attacker who links while the owner proves the email has no identity left', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const squatter = await scenario.service.signUp();
    const { email } = squatter;
    const claims = person();
    await scenario.service.call('POST', '/auth/email-code/send', { body: { email } });
    const [mail] = await scenario.service.mailbox(email);
    const body = await scenario.bodyOfA({ claims });
    const [, verified] = await Promise.all([
      link(bearer(squatter), 'provider-a', body),
      scenario.service.call('POST', '/auth/email-code/verify', { body: { email, code: mail?.code } }),
    ]);
    expect(verified.status).toBe(200);
    expect(await scenario.service.database.prisma.identity.count({ where: { uid: squatter.uid } })).toBe(0);
    expectRefusal(
      await scenario.signInA(await scenario.bodyOfA({ claims: { ...claims, email_verified: false } })),
      'auth/email-required',
    );
  }
});

test('verification by an identity that is unlinked before the session starts is no longer accepted', async () => {
  const user = await scenario.service.signUp();
  const claims = person();
  await link(bearer(user), 'provider-a', await scenario.bodyOfA({ claims }));
  const { deps, app } = scenario.service;
  const current = await deps.apps.fresh(app.app.id);
  const key = { provider: 'provider-a', subject: claims.sub } as const;
  const owner = await findIdentityOwner(deps.prisma, current.id, key);
  expect(owner?.uid).toBe(user.uid);
  expect((await unlink(bearer(user), 'provider-a')).status).toBe(204);
  const version = owner?.credentialVersion ?? -1;
  const credential = { uid: user.uid, credentialVersion: version, newPasswordHash: null };
  expect(await startSession(deps, callIn(current), { method: 'provider_a', credential })).toBeNull();
});

test('failed proofs count against the rate limit of the user, and an unavailable provider does not', async () => {
  const config = { ...scenario.service.deps.config, rateLimits: true };
  const limited = await scenario.service.secondInstance({ config });
  try {
    const user = await limited.signUp();
    const send = async (claims: Record<string, unknown>) =>
      limited.call('POST', '/me/identities/provider-a', {
        ...bearer(user),
        body: await scenario.bodyOfA({ claims }),
      });
    scenario.a.answer('/keys', down);
    for (let call = 0; call < 12; call += 1) expect((await send({})).code).toBe('request/unavailable');
    scenario.a.answer('/keys', null);
    limited.clock.advance(2_000);
    for (let call = 0; call < 10; call += 1) {
      expect((await send({ aud: 'another.app' })).code).toBe('auth/invalid-credential');
    }
    expect((await send({})).code).toBe('request/rate-limited');
  } finally {
    await limited.stop();
  }
});
