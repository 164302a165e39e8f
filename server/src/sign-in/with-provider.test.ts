// Matching of a provider account with a user, the same for both providers.
import { randomUUID } from 'node:crypto';
import type { TokenAnswer } from '@foyer/contract';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callIn } from '../../test/call-in.js';
import { claimsOf, type TestService } from '../../test/harness.js';
import { holdTransactions, lateAnswer } from '../../test/held-transactions.js';
import { providerScenario } from '../../test/provider-scenario.js';
import { shared } from '../../test/shared.js';
import { inFull } from '../../test/thorough.js';
import { linkByVerifiedEmail } from '../identities/link-identity.js';

const scenario = shared(() => providerScenario());

let people = 0;
function person(more: Record<string, unknown> = {}) {
  people += 1;
  return { sub: `person-${people}`, email: `person-${people}@example.com`, ...more };
}

const identitiesOf = (uid: string) =>
  scenario.service.database.prisma.identity.findMany({ where: { uid }, orderBy: { provider: 'asc' } });
const usersWith = (email: string) => scenario.service.database.prisma.user.findMany({ where: { email } });
const eventsOf = async (uid: string) =>
  (await scenario.service.database.prisma.event.findMany({ where: { uid }, orderBy: { id: 'asc' } })).map(
    (event) => event.type,
  );

const signInA = async (claims: Record<string, unknown>) =>
  scenario.signInA(await scenario.bodyOfA({ claims }));
const signInB = async (claims: Record<string, unknown>, more: object = {}) =>
  scenario.signInB({ ...(await scenario.bodyOfB({ claims })), ...more });

const disable = (uid: string) =>
  scenario.service.database.prisma.user.updateMany({ where: { id: uid }, data: { disabled: true } });

/** The answer to a sign-in of another instance, which waits to begin its transaction until `meanwhile` is done. */
async function lateSignInA(claims: Record<string, unknown>, meanwhile: () => Promise<unknown>) {
  const body = await scenario.bodyOfA({ claims });
  const signIn = (late: TestService) => late.call<TokenAnswer>('POST', '/auth/provider-a', { body });
  return lateAnswer(scenario.service, signIn, meanwhile, { config: scenario.service.deps.config });
}

describe.each(['a', 'b'] as const)('provider %s', (provider) => {
  const signIn = provider === 'a' ? signInA : signInB;

  test('a new user gets an account with a verified email, and is matched by the provider id afterwards', async () => {
    const claims = person();
    const first = await signIn(claims);
    expect(first.status).toBe(200);
    expect(first.data.user).toMatchObject({ email: claims.email, email_verified: true });
    const { uid } = first.data.user;
    expect(await eventsOf(uid)).toEqual(['user.created', 'session.created']);
    expect(await scenario.service.database.prisma.user.findFirst({ where: { id: uid } })).toMatchObject({
      emailVerified: true,
      emailProven: true,
      passwordHash: null,
    });

    // Microsoft names up to 200 groups in a token.
    const groups = Array.from({ length: 200 }, () => randomUUID());
    // The provider's email changes, is unverified or is missing: the user is the same.
    const changes = [{ email: 'other@example.com' }, { email_verified: false }, { email: undefined }];
    for (const changed of [...changes, { groups }]) {
      const again = await signIn({ ...claims, ...changed });
      expect([again.status, again.data.user.uid, again.data.user.email]).toEqual([200, uid, claims.email]);
    }
    const { amr } = claimsOf(first.data.access_token);
    const sessions = await scenario.service.call<{ items: { method: string }[] }>('GET', '/me/sessions', {
      token: first.data.access_token,
    });
    expect([amr, sessions.data.items.map((each) => each.method)]).toEqual([
      ['fed'],
      Array(5).fill(`provider_${provider}`),
    ]);
  });

  test('an account with the same verified email is linked and gets a notice, and its session stays live', async () => {
    const claims = person({ email: `Linked-${provider}@Example.com` });
    const email = claims.email.toLowerCase();
    const owner = await scenario.verifiedUser(email);
    const answer = await signIn(claims);
    expect([answer.status, answer.data.user.uid]).toEqual([200, owner.user.uid]);
    const identity = { provider: `provider-${provider}`, subject: claims.sub, email };
    expect(await identitiesOf(owner.user.uid)).toMatchObject([identity]);
    const [notice, ...others] = (await scenario.service.mailbox(email)).filter((mail) => !mail.code);
    expect(notice?.subject).toContain('new way to sign in');
    expect(notice?.text).toContain(`An account at ${new URL(scenario[provider].issuer).hostname} was linked`);
    expect(others).toEqual([]);
    expect((await eventsOf(owner.user.uid)).filter((type) => type === 'user.updated')).toHaveLength(1);
    expect(
      await scenario.service.database.prisma.auditLog.findFirst({
        where: { uid: owner.user.uid, action: 'identity.linked' },
      }),
    ).toMatchObject({ actor: `user:${owner.user.uid}`, details: { provider: identity.provider } });
    expect((await scenario.service.refresh(owner.refresh_token)).status).toBe(200);

    // The next sign-in links nothing.
    expect((await signIn(claims)).status).toBe(200);
    expect((await scenario.service.mailbox(email)).filter((mail) => !mail.code)).toHaveLength(1);
  });

  test('an account with an unverified email is not linked, and nothing is created', async () => {
    const claims = person();
    const squatter = await scenario.service.signUp({ email: claims.email });
    const answer = await signIn(claims);
    expect([answer.status, answer.code]).toEqual([409, 'auth/account-exists-with-different-credential']);
    expect(await identitiesOf(squatter.uid)).toEqual([]);
    expect(await usersWith(claims.email)).toHaveLength(1);
  });

  // One of each check: id-token-rules.test.ts has the tables.
  test.each([
    ['unverified', { email_verified: false }],
    ['missing', { email: undefined }],
  ])('a new user whose email is %s is refused', async (_state, change) => {
    const claims = { ...person(), ...change };
    const answer = await signIn(claims);
    expect([answer.status, answer.code]).toEqual([401, 'auth/email-required']);
    expect(await scenario.service.database.prisma.identity.count({ where: { subject: claims.sub } })).toBe(0);
  });

  test('an email that only becomes that of an account when it is lower-cased is refused', async () => {
    const owner = person({ email: `kelvin-${provider}@example.com` });
    const { uid } = (await signIn(owner)).data.user;
    await scenario.service.database.prisma.identity.deleteMany({ where: { uid } });
    // The Kelvin sign: another mailbox, which lower-cases to a k.
    const answer = await signIn(person({ email: owner.email.replace('k', '\u212a') }));
    expect([answer.status, answer.code]).toEqual([401, 'auth/email-required']);
    expect(await identitiesOf(uid)).toEqual([]);
    // Upper-case ASCII is the same mailbox.
    expect((await signIn(person({ email: owner.email.toUpperCase() }))).data.user.uid).toBe(uid);
  });

  test('another provider user with the email of a linked account is refused', async () => {
    const claims = person();
    const first = await signIn(claims);
    const answer = await signIn({ ...claims, sub: `${claims.sub}-heir` });
    expect([answer.status, answer.code]).toEqual([409, 'auth/account-exists-with-different-credential']);
    expect(await identitiesOf(first.data.user.uid)).toHaveLength(1);
  });

  test('a disabled account is refused with auth/user-disabled, whether matched by id or by email', async () => {
    const claims = person();
    const first = await signIn(claims);
    const { uid } = first.data.user;
    await disable(uid);
    expect((await signIn(claims)).code).toBe('auth/user-disabled');
    await scenario.service.database.prisma.identity.deleteMany({ where: { uid } });
    expect((await signIn(claims)).code).toBe('auth/user-disabled');
    expect(await identitiesOf(uid)).toEqual([]);
  });

  test('closed sign-up lets existing users in, and creates none', async () => {
    const known = person();
    const linkable = person();
    expect((await signIn(known)).status).toBe(200);
    await scenario.verifiedUser(linkable.email);
    await scenario.set({ sign_up: 'closed' });
    try {
      const stranger = person();
      const refused = await signIn(stranger);
      expect([refused.status, refused.code]).toEqual([403, 'auth/operation-not-allowed']);
      expect(await usersWith(stranger.email)).toEqual([]);
      expect((await signIn(known)).status).toBe(200);
      expect((await signIn(linkable)).status).toBe(200);
    } finally {
      await scenario.set({ sign_up: 'open' });
    }
  });

  test("the same provider user has separate accounts in two apps, and another app's token is refused", async () => {
    const claims = person();
    const first = await signIn(claims);
    const other = await scenario.service.newApp();
    const body = provider === 'a' ? await scenario.bodyOfA({ claims }) : await scenario.bodyOfB({ claims });
    const options = { appKey: other.app.appKey };
    const call = () => (provider === 'a' ? scenario.signInA(body, options) : scenario.signInB(body, options));
    expect((await call()).code).toBe('auth/operation-not-allowed');
    await scenario.set(
      { provider_a: { client_ids: { web: ['theirs'] } }, provider_b: { bundle_ids: ['theirs'] } },
      other,
    );
    scenario.service.deps.apps.forget();
    expect((await call()).code).toBe('auth/invalid-credential');
    const ours =
      provider === 'a' ? { client_ids: { web: ['web.client'] } } : { bundle_ids: ['com.example.bundle'] };
    await scenario.set({ [`provider_${provider}`]: ours }, other);
    scenario.service.deps.apps.forget();
    const there = await call();
    expect(there.status).toBe(200);
    expect(there.data.user.uid).not.toBe(first.data.user.uid);
  });
});

// The sign-ins are those of provider A: one function matches the accounts of both.
describe('concurrently', () => {
  test('ten concurrent first sign-ins create one account, and all sign in to it', async () => {
    const claims = person();
    const answers = await Promise.all(Array.from({ length: 10 }, () => signInA(claims)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map((answer) => answer.data.user.uid)).size).toBe(1);
    expect(await usersWith(claims.email)).toHaveLength(1);
    expect(answers.filter(({ data }) => data.is_new_user)).toHaveLength(1);
  });

  // Each has a token of its own, so that no limit of one token helps: the rest wait without a connection.
  test('of eight concurrent sign-ins of one user, two at most are in the database', async () => {
    const { service } = scenario;
    const claims = person();
    await signInA(claims);
    const most = service.database.kind === 'postgresql' ? 2 : 1;
    const held = holdTransactions(service.deps);
    const answers = Array.from({ length: 8 }, () => signInA(claims));
    await expect.poll(() => service.deps.turns.waiting).toBe(8 - most);
    expect(held.began()).toBe(most);
    held.end();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  test('ten concurrent first sign-ins of one user with ten emails create one account', async () => {
    const claims = person();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => signInA({ ...claims, email: `${i}-${claims.email}` })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map((answer) => answer.data.user.uid)).size).toBe(1);
    const made = await scenario.service.database.prisma.user.count({
      where: { email: { endsWith: `-${claims.email}` } },
    });
    expect(made).toBe(1);
  });

  test('a first sign-in signs in to the account that the same person makes meanwhile with another email', async () => {
    const claims = person();
    let uid = '';
    const { status, data } = await lateSignInA(claims, async () => {
      uid = (await signInA({ ...claims, email: `other-${claims.email}` })).data.user.uid;
    });
    expect([status, data.user.uid]).toEqual([200, uid]);
    expect(await usersWith(claims.email)).toEqual([]);
  });

  test.each([
    ['is disabled', 'auth/user-disabled', 0],
    ['is deleted', undefined, 200],
  ])('a sign-in to an account that %s meanwhile is answered %s', async (what, code, status) => {
    const claims = person();
    const { data } = await signInA(claims);
    const answer = await lateSignInA(claims, async () => {
      if (what === 'is deleted') await scenario.service.call('DELETE', '/me', { token: data.access_token });
      else await disable(data.user.uid);
    });
    expect(answer).toMatchObject(status === 200 ? { status, data: { is_new_user: true } } : { code });
  });

  test('a first sign-in is refused if somebody else signs up with its email meanwhile', async () => {
    const claims = person();
    const answer = await lateSignInA(claims, () => scenario.service.signUp({ email: claims.email }));
    expect(answer.code).toBe('auth/account-exists-with-different-credential');
    expect(await usersWith(claims.email)).toHaveLength(1);
  });

  test('a sign-in that finds the account by its email signs in if another links it to the same person meanwhile', async () => {
    const claims = person();
    const owner = await scenario.verifiedUser(claims.email);
    const body = await scenario.bodyOfA({ claims });
    const late = await scenario.service.secondInstance({ config: scenario.service.deps.config });
    onTestFinished(() => late.stop());
    const { query } = late.deps;
    late.deps.query = async (statement) => {
      const rows = await query<never>(statement);
      if (statement.values.includes(claims.email)) await signInA(claims);
      return rows;
    };
    const { status, data } = await late.call<TokenAnswer>('POST', '/auth/provider-a', { body });
    expect([status, data.user.uid]).toEqual([200, owner.user.uid]);
    expect(await identitiesOf(owner.user.uid)).toHaveLength(1);
  });

  test('ten concurrent sign-ins that link an account link it once, and send one notice', async () => {
    const claims = person();
    const owner = await scenario.verifiedUser(claims.email);
    const answers = await Promise.all(Array.from({ length: 10 }, () => signInA(claims)));
    expect(answers.map((answer) => [answer.status, answer.data.user.uid])).toEqual(
      Array(10).fill([200, owner.user.uid]),
    );
    expect(await identitiesOf(owner.user.uid)).toHaveLength(1);
    expect((await scenario.service.mailbox(claims.email)).filter((mail) => !mail.code)).toHaveLength(1);
  });

  test("a sign-in concurrent with the account's deletion yields a working new account or no session", async () => {
    for (let round = 0; round < inFull(10, 2); round += 1) {
      const claims = person();
      const old = (await signInA(claims)).data;
      const [deleted, answer] = await Promise.all([
        scenario.service.call('DELETE', '/me', { token: old.access_token }),
        signInA(claims),
      ]);
      expect([deleted.status, answer.status]).toEqual([204, 200]);
      const me = await scenario.service.call('GET', '/me', { token: answer.data.access_token });
      const survived = answer.data.user.uid !== old.user.uid;
      expect(me.status).toBe(survived ? 200 : 401);
      expect(await usersWith(claims.email)).toHaveLength(survived ? 1 : 0);
    }
  });
});

test('is_new_user is true only for the call that created the account', async () => {
  const body = await scenario.bodyOfA({ claims: person() });
  const flags = [];
  for (let call = 0; call < 3; call += 1) flags.push((await scenario.signInA(body)).data.is_new_user);
  expect(flags).toEqual([true, false, false]);
});

test('no other way in than provider A answers is_new_user', async () => {
  const { service } = scenario;
  const { user, refresh_token } = await scenario.verifiedUser(person().email);
  const signedUp = await service.signUp();
  const answers = [
    (await signInB(person())).data,
    (await signInB({ ...person(), email: user.email })).data,
    signedUp.tokens,
    (await service.signIn(signedUp)).data,
    (await service.refresh(refresh_token)).data,
    await scenario.verifiedUser(user.email),
  ];
  for (const answer of answers) {
    expect(Object.keys(answer).sort()).toEqual([
      'access_token',
      'expires_in',
      'refresh_token',
      'token_type',
      'user',
    ]);
  }
});

// The sign-in found the account by its email before it locks it.
test.each<[string, object, boolean]>([
  ['did not change', {}, true],
  ['has another email by now', { email: 'moved@example.com' }, false],
  ['has an unverified email by now', { emailVerified: false }, false],
  ['is disabled by now', { disabled: true }, false],
])(
  'an account found by its email is linked only if unchanged: one that %s',
  async (_what, change, linked) => {
    const { deps, app } = scenario.service;
    const { sub, email } = person();
    const { uid } = (await scenario.verifiedUser(email)).user;
    await deps.prisma.user.updateMany({ where: { id: uid }, data: change });
    const account = {
      ...{
        provider: 'provider-a' as const,
        subject: sub,
        email,
        emailVerified: true,
        clientId: 'web.client',
      },
      profile: { firstName: null, lastName: null, photoUrl: null },
      createsUnverified: false,
      refreshToken: null,
      proof: { provider: 'provider-a', idToken: '', nonce: '', authorizationCode: null },
    } as const;
    const names = { firstName: null, lastName: null };
    const call = callIn(await deps.apps.fresh(app.app.id));
    // A parallel sign-in may have linked it before.
    for (let times = 0; times < 2; times += 1)
      await deps.prisma.$transaction((tx) => linkByVerifiedEmail(tx, deps, call, { uid, account, names }));
    expect(await identitiesOf(uid)).toHaveLength(linked ? 1 : 0);
    const entries = await scenario.service.auditEntries({ action: 'identity.linked', uid });
    expect(entries).toHaveLength(linked ? 1 : 0);
  },
);

test('one account links both providers by the verified email', async () => {
  const claims = person();
  const a = await signInA(claims);
  const b = await signInB({ ...claims, sub: `${claims.sub}-at-b` });
  expect(b.data.user.uid).toBe(a.data.user.uid);
  expect((await identitiesOf(a.data.user.uid)).map((each) => each.provider)).toEqual([
    'provider-a',
    'provider-b',
  ]);
});

test("provider A's names and picture are stored in a new account if they are valid", async () => {
  const claims = person({
    given_name: ' Ada ',
    family_name: 'x'.repeat(101),
    picture: 'https://images.example.com/ada.jpg',
  });
  const { user } = (await signInA(claims)).data;
  expect(user).toMatchObject({
    first_name: 'Ada',
    last_name: null,
    photo_url: 'https://images.example.com/ada.jpg',
  });
  const odd = person({ given_name: 'half \ud800', family_name: 7, picture: 'javascript:alert(1)' });
  const answer = await signInA(odd);
  expect(answer.data.user).toMatchObject({ first_name: null, last_name: null, photo_url: null });
});

describe("provider B's names, sent only once", () => {
  const names = { first_name: 'Ada', last_name: 'Lovelace' };

  test('are stored with the new account, and not changed by later ones', async () => {
    const claims = person();
    const first = await signInB(claims, names);
    expect(first.data.user).toMatchObject(names);
    const later = await signInB(claims, { first_name: 'Eve' });
    expect(later.data.user).toMatchObject(names);
  });

  test.each([{ first_name: 'Ada' }, { last_name: 'Lovelace' }])(
    'are stored if one is missing: %j',
    async (name) => {
      const answer = await signInB(person(), name);
      expect(answer.data.user).toMatchObject({ first_name: null, last_name: null, ...name });
    },
  );

  test('are not lost by a refused first call', async () => {
    const claims = person();
    const body = { ...(await scenario.bodyOfB({ claims })), ...names };
    await scenario.set({ sign_up: 'closed' });
    expect((await scenario.signInB(body)).code).toBe('auth/operation-not-allowed');
    await scenario.set({ sign_up: 'open' });
    scenario.service.deps.apps.forget();
    expect((await scenario.signInB(body)).data.user).toMatchObject(names);
  });

  test('are added to a linked account without names, and do not replace existing ones', async () => {
    const nameless = person();
    await scenario.verifiedUser(nameless.email);
    const filled = await signInB(nameless, names);
    expect(filled.data.user).toMatchObject(names);

    const named = person();
    const { access_token } = await scenario.verifiedUser(named.email);
    await scenario.service.call('PATCH', '/me', { token: access_token, body: { last_name: 'Byron' } });
    const kept = await signInB(named, names);
    expect(kept.data.user).toMatchObject({ first_name: null, last_name: 'Byron' });
  });
});
