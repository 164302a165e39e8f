// Administration of users over HTTP, with every event, ended session, mail and audit entry that follows.
import type { AdminUser } from '@foyer/contract';
import { describe, expect, test } from 'vitest';
import { backendScenario } from '../../test/backend-scenario.js';
import { codeScenario, newEmail } from '../../test/code-scenario.js';
import { claimsOf, testService } from '../../test/harness.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import { systemRandom } from '../lib/crypto/random.js';

const service = shared(() => testService());

const scenario = codeScenario(() => service);
const day = 86_400_000;
const me = (token: string) => service.call('GET', '/me', { token });
const { admin, make, eventsOf, entriesOf } = backendScenario(() => service);

describe('a created user', () => {
  test('has the given values and nothing else', async () => {
    const given = {
      email: newEmail(),
      first_name: 'Ada',
      last_name: 'Lovelace',
      photo_url: 'https://images.example.com/ada.jpg',
      email_verified: true,
      disabled: true,
      claims: { role: 'editor', nested: { deep: [1, null] } },
      member_id: 'M-1',
    };
    const user = await make(given);
    const time = user.created_at;
    expect(user).toEqual({
      ...given,
      uid: user.uid,
      has_password: false,
      second_factor: false,
      providers: [],
      points: 0,
      created_at: time,
      updated_at: time,
      last_sign_in_at: null,
      last_active_at: null,
      v1_last_used_at: null,
    });
    expect((await admin('GET', `/${user.uid}`)).data).toEqual(user);
    expect(await eventsOf(user.uid)).toEqual([['user.created', undefined]]);
    expect(await entriesOf(user.uid)).toEqual([['user.created', user.uid, {}]]);
  });

  test('has by default an unverified email, a member id of ten digits, and no password', async () => {
    const user = await make();
    expect(user).toMatchObject({ email_verified: false, has_password: false, disabled: false });
    expect(user.claims).toEqual({});
    expect(user.member_id).toMatch(/^[1-9]\d{9}$/);
  });

  test('has the same of fields that the backend writes as null', async () => {
    const nothing = { password: null, claims: null, member_id: null, points: null };
    const user = await make({ ...nothing, email_verified: null, disabled: null });
    expect(user).toMatchObject({ email_verified: false, has_password: false, disabled: false, points: 0 });
    expect(user.member_id).toMatch(/^[1-9]\d{9}$/);
  });

  test('has the fifth member id that is drawn if four are taken, and a sixth is not drawn', async () => {
    const system = systemRandom();
    const zeros = Buffer.alloc(6);
    let free = 0;
    let draws = 0;
    const bytes = (count: number) => {
      if (count !== zeros.length) return system.bytes(count);
      draws += 1;
      return draws === free ? Buffer.alloc(6, 1) : zeros;
    };
    const unlucky = await service.secondInstance({ overrides: { random: { ...system, bytes } } });
    const create = () =>
      unlucky.call<AdminUser>('POST', '/admin/users', {
        token: service.app.secretKey,
        body: { email: newEmail() },
      });
    await make({ member_id: '1000000000' });
    free = 5;
    const created = await create();
    expect([created.status, draws]).toEqual([201, 5]);
    [draws, free] = [0, 6];
    expectRefusal(await create(), 'request/internal-error');
    expect(draws).toBe(5);
    await unlucky.stop();
  });

  test('signs in with the given password', async () => {
    const [email, password] = [newEmail(), 'pässwörd, long enough'];
    expect((await make({ email, password })).has_password).toBe(true);
    expect((await service.signIn({ email, password })).status).toBe(200);
  });

  test('is refused and not stored if email, member id, password or claims are invalid or taken', async () => {
    const { email } = await make({ member_id: 'taken' });
    const count = () => service.database.prisma.user.count();
    const before = await count();
    const refused: [object, Parameters<typeof expectRefusal>[1]][] = [
      [{ email: email.toUpperCase() }, 'auth/email-already-in-use'],
      [{ member_id: 'taken' }, 'admin/member-id-already-in-use'],
      [{ password: '7 chars' }, 'auth/weak-password'],
      [{ claims: { sub: 'x' } }, 'admin/reserved-claim'],
      [{ claims: { a: 'x'.repeat(993) } }, 'admin/claims-too-large'],
      [{ member_id: 'has space' }, 'request/validation-failed'],
      [{ member_id: 'x'.repeat(65) }, 'request/validation-failed'],
    ];
    for (const [body, code] of refused) {
      expectRefusal(await admin('POST', '', { email: newEmail(), ...body }), code, null);
    }
    expect(await count()).toBe(before);
    expect((await admin('POST', '', { email: newEmail(), member_id: 'x'.repeat(64) })).status).toBe(201);
  });

  test('with an unverified email loses its password at the first sign-in by code, as after a sign-up', async () => {
    for (const email_verified of [false, true]) {
      const [email, password] = [newEmail(), 'chosen by who knows whom'];
      await make({ email, password, email_verified });
      await scenario.signInByCode(email);
      expect((await service.signIn({ email, password })).status).toBe(email_verified ? 200 : 401);
    }
  });

  test('has the given points, with a ledger entry', async () => {
    const { uid, points } = await make({ points: 250 });
    expect(points).toBe(250);
    const entries = await service.database.prisma.loyaltyEntry.findMany({ where: { uid } });
    expect(entries).toMatchObject([{ points: 250, reference: null }]);
    expect((await eventsOf(uid)).map(([type]) => type)).toEqual(['user.created', 'loyalty.points_changed']);
    expectRefusal(
      await admin('POST', '', { email: newEmail(), points: -1 }),
      'request/validation-failed',
      null,
    );
    expect(await eventsOf((await make({ points: 0 })).uid)).toHaveLength(1);
  });

  test('is allowed while sign-up is closed', async () => {
    const app = await service.newApp();
    await service.changeSettings({ sign_up: 'closed' }, app);
    const call = { appKey: app.app.appKey, token: app.secretKey, body: { email: newEmail() } };
    expect((await service.call('POST', '/admin/users', call)).status).toBe(201);
  });
});

describe('PATCH', () => {
  test('changes given fields, clears null ones, and writes an event and an audit entry', async () => {
    const { uid } = await make({ first_name: 'Ada', last_name: 'L' });
    service.clock.advance(1_000);
    const { data } = await admin('PATCH', `/${uid}`, { first_name: null, photo_url: null, member_id: 'own' });
    expect(data).toMatchObject({ first_name: null, last_name: 'L', member_id: 'own' });
    expect(Date.parse(data.updated_at) - Date.parse(data.created_at)).toBe(1_000);
    expect(await eventsOf(uid)).toEqual([
      ['user.created', undefined],
      ['user.updated', undefined],
    ]);
    expect((await entriesOf(uid)).at(-1)).toEqual([
      'user.updated',
      uid,
      { changed: ['first_name', 'photo_url', 'member_id'] },
    ]);
  });

  test('with an empty body changes and records nothing', async () => {
    const user = await make();
    service.clock.advance(1_000);
    expect((await admin('PATCH', `/${user.uid}`, {})).data).toEqual(user);
    expect(await eventsOf(user.uid)).toHaveLength(1);
    expect(await entriesOf(user.uid)).toHaveLength(1);
  });

  test('disabling ends every session at once and blocks sign-in, and enabling restores no session', async () => {
    const user = await service.signUp();
    const second = (await service.signIn(user)).data;
    expect((await admin('PATCH', `/${user.uid}`, { disabled: true })).data.disabled).toBe(true);
    for (const tokens of [user.tokens, second]) {
      expectRefusal(await me(tokens.access_token), 'auth/invalid-token');
      expectRefusal(await service.refresh(tokens.refresh_token), 'auth/refresh-token-revoked');
    }
    expectRefusal(await service.signIn(user), 'auth/user-disabled');
    expect((await eventsOf(user.uid)).slice(-3).map(([type]) => type)).toEqual([
      'user.disabled',
      'session.ended',
      'session.ended',
    ]);
    expect((await entriesOf(user.uid)).map(([action]) => action)).toEqual(['user.disabled']);
    await admin('PATCH', `/${user.uid}`, { disabled: false });
    expectRefusal(await service.refresh(second.refresh_token), 'auth/refresh-token-revoked');
    expect((await service.signIn(user)).status).toBe(200);
    expect((await eventsOf(user.uid)).map(([type]) => type)).toContain('user.enabled');
  });

  test('a new password replaces the old one, ends every session and pending code, and notifies the owner', async () => {
    const user = await service.signUp();
    expectRefusal(await admin('PATCH', `/${user.uid}`, { password: '7 chars' }), 'auth/weak-password', null);
    expect((await me(user.tokens.access_token)).status).toBe(200);
    const code = await scenario.resetCode(user.email);
    await admin('PATCH', `/${user.uid}`, { password: 'set by the backend' });
    expectRefusal(await scenario.reset(user.email, code), 'auth/invalid-code');
    expectRefusal(await me(user.tokens.access_token), 'auth/invalid-token');
    expectRefusal(await service.signIn(user), 'auth/invalid-credential');
    expect((await service.signIn({ ...user, password: 'set by the backend' })).status).toBe(200);
    expect(await eventsOf(user.uid)).toContainEqual(['user.password_changed', 'admin']);
    expect(await scenario.mailed(user.email, 'password_changed')).toHaveLength(1);
  });

  test('a changed email is unverified unless declared verified, and the old email is notified', async () => {
    for (const verified of [undefined, true]) {
      const user = await make({ email_verified: true });
      const email = newEmail();
      const said = verified === undefined ? {} : { email_verified: verified };
      const { data } = await admin('PATCH', `/${user.uid}`, { email, ...said });
      expect(data).toMatchObject({ email, email_verified: verified ?? false });
      expect(await scenario.mailed(user.email, 'email_changed')).toHaveLength(1);
      expect((await eventsOf(user.uid)).map(([type]) => type)).toEqual([
        'user.created',
        'user.updated',
        ...(verified ? ['user.email_verified'] : []),
      ]);
    }
  });

  test('a changed email ends no session, and a code mailed to the old one no longer opens the account', async () => {
    const user = await service.signUp();
    const code = await scenario.signInCode(user.email);
    await admin('PATCH', `/${user.uid}`, { email: newEmail() });
    expect((await me(user.tokens.access_token)).status).toBe(200);
    const answer = await scenario.verify(user.email, code);
    expect(answer.status === 422 || answer.data.user.uid !== user.uid).toBe(true);
  });

  test('a taken email or member id is refused, and the rest of the request is not applied', async () => {
    const [user, other] = [await make(), await make({ member_id: 'another-member' })];
    for (const [body, code] of [
      [{ email: other.email }, 'auth/email-already-in-use'],
      [{ member_id: 'another-member' }, 'admin/member-id-already-in-use'],
    ] as const) {
      expectRefusal(
        await admin('PATCH', `/${user.uid}`, { first_name: 'X', disabled: true, ...body }),
        code,
        null,
      );
    }
    expect((await admin('GET', `/${user.uid}`)).data).toEqual(user);
    expect(await eventsOf(user.uid)).toHaveLength(1);
  });
});

describe('sessions and providers of a user', () => {
  test('are listed as for the user, but none is current', async () => {
    const user = await service.signUp();
    const own = await service.call<{ items: object[] }>('GET', '/me/sessions', {
      token: user.tokens.access_token,
    });
    const { data } = await admin<{ items: object[] }>('GET', `/${user.uid}/sessions`);
    expect(data).toEqual({ items: [{ ...own.data.items[0], current: false }], next_cursor: null });
    expect((await admin('GET', `/${user.uid}/identities`)).data).toEqual({ items: [], next_cursor: null });
  });

  test('one session can be ended, once, and only as one of its user', async () => {
    const [user, another] = [await service.signUp(), await service.signUp()];
    const other = (await service.signIn(user)).data;
    const { sid } = claimsOf(other.access_token);
    const end = () => admin('DELETE', `/${user.uid}/sessions/${sid}`);
    expectRefusal(await admin('DELETE', `/${another.uid}/sessions/${sid}`), 'auth/session-not-found');
    expect((await me(other.access_token)).status).toBe(200);
    expect((await end()).status).toBe(204);
    expectRefusal(await me(other.access_token), 'auth/invalid-token');
    expect((await me(user.tokens.access_token)).status).toBe(200);
    expectRefusal(await end(), 'auth/session-not-found');
    const [entry] = await service.auditEntries({ target: `session:${sid}`, action: 'session.revoked' });
    expect(entry).toMatchObject({ uid: user.uid, actor: expect.stringContaining('secret_key:') });
    const log = await service.call<{ items: { target_name: string }[] }>(
      'GET',
      `/admin/audit-log?target=session:${sid}&action=session.revoked`,
      { token: service.app.secretKey },
    );
    expect(log.data.items.map(({ target_name }) => target_name)).toEqual([user.email]);
  });

  test('all sessions can be revoked', async () => {
    const user = await service.signUp();
    expect((await admin('POST', `/${user.uid}/revoke-sessions`)).status).toBe(204);
    expectRefusal(await service.refresh(user.tokens.refresh_token), 'auth/refresh-token-revoked');
    expect((await service.signIn(user)).status).toBe(200);
    expect(await entriesOf(user.uid)).toEqual([['user.sessions_revoked', user.uid, {}]]);
  });
});

describe('DELETE', () => {
  test('deletes the account with its sessions and codes, records the reason, and frees the email', async () => {
    const user = await service.signUp();
    await scenario.signInCode(user.email);
    expect((await admin('DELETE', `/${user.uid}`)).status).toBe(204);
    expectRefusal(await me(user.tokens.access_token), 'auth/invalid-token');
    expectRefusal(await service.refresh(user.tokens.refresh_token), 'auth/refresh-token-revoked');
    expect((await eventsOf(user.uid)).at(-1)).toEqual(['user.deleted', 'admin']);
    expect(await entriesOf(user.uid)).toEqual([['user.deleted', user.uid, {}]]);
    const { prisma } = service.database;
    expect(await prisma.code.count({ where: { subject: user.email } })).toBe(0);
    expect(await prisma.session.count({ where: { uid: user.uid } })).toBe(0);
    expectRefusal(await admin('DELETE', `/${user.uid}`), 'auth/user-not-found');
    expect((await service.signUp({ email: user.email })).uid).not.toBe(user.uid);
  });
});

test('a refresh updates last_active_at, not last_sign_in_at', async () => {
  const { uid, tokens } = await service.signUp();
  const read = async () =>
    (await service.call<AdminUser>('GET', `/admin/users/${uid}`, { token: service.app.secretKey })).data;
  const first = await read();
  expect(first.last_active_at).toBe(first.last_sign_in_at);
  service.clock.advance(day);
  await service.refresh(tokens.refresh_token);
  const second = await read();
  expect(second.last_sign_in_at).toBe(first.last_sign_in_at);
  expect(Date.parse(second.last_active_at as string) - Date.parse(first.last_active_at as string)).toBe(day);
});
