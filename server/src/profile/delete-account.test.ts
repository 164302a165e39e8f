// DELETE /me: everything that is deleted with the account, and what a new account on the same email must not inherit.
import { randomUUID } from 'node:crypto';
import type { TokenAnswer } from '@foyer/contract';
import { describe, expect, test } from 'vitest';
import { oneAfterAnother, testOnServer } from '../../test/blocked.js';
import { codeScenario, invalidCode, newEmail } from '../../test/code-scenario.js';
import { claimsOf, testService } from '../../test/harness.js';
import { lateAnswer } from '../../test/held-transactions.js';
import { invalid, revoked, sessionScenario } from '../../test/session-scenario.js';
import { shared } from '../../test/shared.js';
import { inFull } from '../../test/thorough.js';
import { writeAuditEntry } from '../audit/entry.js';

const service = shared(() => testService());

const scenario = codeScenario(() => service);
const { eventsOf, me, refresh } = sessionScenario(() => service);
const appId = () => service.app.app.id;

/** The number of rows of a user in each table. */
async function rowsOf(uid: string, email: string) {
  const { prisma } = service.database;
  const where = { appId: appId(), uid };
  return {
    users: await prisma.user.count({ where: { appId: appId(), OR: [{ id: uid }, { email }] } }),
    sessions: await prisma.session.count({ where }),
    identities: await prisma.identity.count({ where }),
    codes: await prisma.code.count({
      where: { appId: appId(), OR: [{ subject: { in: [uid, email] } }, { email }] },
    }),
  };
}

async function link(uid: string): Promise<void> {
  const now = service.clock.now();
  const identity = { provider: 'provider-a', subject: randomUUID(), email: null, clientId: 'web' };
  await service.database.prisma.identity.create({
    data: { appId: appId(), uid, ...identity, linkedAt: now, userCreatedAt: now },
  });
}

test('deletion removes the user, sessions, identities and codes, and writes an event with the last known user', async () => {
  const user = await service.signUp();
  const token = user.tokens.access_token;
  await service.signIn(user);
  await link(user.uid);
  await scenario.signInCode(user.email);
  await scenario.resetCode(user.email);
  await scenario.verificationCode({ email: user.email, token });
  await scenario.changeCode(token, newEmail());
  expect(await rowsOf(user.uid, user.email)).toEqual({ users: 1, sessions: 2, identities: 1, codes: 4 });
  await service.call('PATCH', '/me', { token, body: { first_name: 'Ada' } });
  const { memberId } = await scenario.userRow(user.uid);
  service.clock.advance(1_000);
  const answer = await scenario.deleteAccount(token);
  expect([answer.status, answer.text]).toEqual([204, '']);
  expect(await rowsOf(user.uid, user.email)).toEqual({ users: 0, sessions: 0, identities: 0, codes: 0 });
  const last = { uid: user.uid, email: user.email, first_name: 'Ada', member_id: memberId };
  expect((await eventsOf(user.uid)).slice(-3)).toMatchObject([
    { type: 'session.ended' },
    { type: 'session.ended' },
    { type: 'user.deleted', createdAt: service.clock.now(), data: { reason: 'self', user: last } },
  ]);
});

test('every call refuses the tokens of a deleted account', async () => {
  const user = await service.signUp();
  const other = (await service.signIn(user)).data;
  const spent = user.tokens.refresh_token;
  const current = await refresh(spent);
  await scenario.deleteAccount(user.tokens.access_token);
  for (const { access_token } of [user.tokens, current, other]) {
    expect(await me(access_token)).toMatchObject(invalid);
    expect(await scenario.deleteAccount(access_token)).toMatchObject(invalid);
    expect(await scenario.sendVerification(access_token)).toMatchObject(invalid);
    expect(await service.call('POST', '/auth/sign-out', { token: access_token })).toMatchObject(invalid);
    const verify = await scenario.verify(user.email, '000000', { token: access_token });
    expect(verify).toMatchObject(invalid);
  }
  for (const each of [spent, current.refresh_token, other.refresh_token]) {
    expect(await service.refresh(each)).toMatchObject(revoked);
  }
  expect((await service.signIn(user)).code).toBe('auth/invalid-credential');
});

test('a new account on the same email shares nothing with the old one', async () => {
  const email = newEmail();
  const old = await service.call<TokenAnswer>('POST', '/auth/sign-up', {
    body: { email, password: 'the old password', first_name: 'Ada', last_name: 'Lovelace' },
  });
  const { uid, created_at } = old.data.user;
  await link(uid);
  const oldRow = await scenario.userRow(uid);
  service.clock.advance(1_000);
  await scenario.deleteAccount(old.data.access_token);

  const { user, access_token } = await scenario.signInByCode(email);
  expect(user).toMatchObject({ email, first_name: null, last_name: null, photo_url: null });
  expect(user.uid).not.toBe(uid);
  expect(user.created_at > created_at).toBe(true);
  const row = await scenario.userRow(user.uid);
  expect(row.memberId).not.toBe(oldRow.memberId);
  expect([row.passwordHash, row.credentialVersion, row.claims]).toEqual([null, 0, {}]);
  const lists = await Promise.all(
    ['/me/sessions', '/me/identities'].map((path) =>
      service.call<{ items: { id?: string }[] }>('GET', path, { token: access_token }),
    ),
  );
  expect(lists.map(({ data }) => data.items.map(({ id }) => id))).toEqual([[claimsOf(access_token).sid], []]);
  expect(await me(old.data.access_token)).toMatchObject(invalid);
  expect(await service.refresh(old.data.refresh_token)).toMatchObject(revoked);
  expect((await service.signIn({ email, password: 'the old password' })).status).toBe(401);
});

test('codes mailed before the deletion neither create an account nor open the new one', async () => {
  const user = await service.signUp();
  const token = user.tokens.access_token;
  const codes = {
    signIn: await scenario.signInCode(user.email),
    reset: await scenario.resetCode(user.email),
    verification: await scenario.verificationCode({ email: user.email, token }),
    change: await scenario.changeCode(token, newEmail()),
  };
  await scenario.deleteAccount(token);
  const tryAll = async () => {
    expect(await scenario.verify(user.email, codes.signIn)).toMatchObject(invalidCode);
    expect(await scenario.reset(user.email, codes.reset)).toMatchObject(invalidCode);
  };
  await tryAll();
  expect(await service.database.prisma.user.count({ where: { email: user.email } })).toBe(0);
  const again = await service.signUp({ email: user.email, password: 'the new password' });
  await tryAll();
  for (const code of [codes.verification, codes.change]) {
    expect(await scenario.confirm(again.tokens.access_token, code)).toMatchObject(invalidCode);
  }
  expect(await scenario.reauthenticate(again.tokens.access_token, { code: codes.signIn })).toMatchObject(
    invalidCode,
  );
});

test('a code mailed to a changed email is invalid after the deletion too', async () => {
  const user = await service.signUp();
  const token = user.tokens.access_token;
  const next = newEmail();
  await scenario.confirm(token, await scenario.changeCode(token, next));
  const signIn = await scenario.signInCode(next);
  await scenario.deleteAccount(token);
  expect(await scenario.verify(next, signIn)).toMatchObject(invalidCode);
});

test('the audit log retains the uid, and loses IP addresses and details', async () => {
  const user = await service.signUp();
  const other = await service.signUp();
  const actor = { name: `user:${user.uid}`, ip: '203.0.113.7' };
  for (const uid of [user.uid, other.uid]) {
    await service.database.prisma.$transaction((tx) =>
      writeAuditEntry(tx, service.deps, {
        appId: appId(),
        actor,
        action: 'identity.linked',
        target: `user:${uid}`,
        uid,
        details: { provider: 'provider-a' },
      }),
    );
  }
  // Reuse of a refresh token writes an entry by itself.
  await refresh(user.tokens.refresh_token);
  service.clock.advance(31_000);
  expect(await service.refresh(user.tokens.refresh_token)).toMatchObject(revoked);
  const { access_token } = (await service.signIn(user)).data;
  const entriesOf = (uid: string) => service.auditEntries({ uid });
  const places = (await entriesOf(user.uid)).map(({ action, ip }) => [action, ip]);
  expect(places).toEqual([
    ['user.signed_up', '127.0.0.1'],
    ['identity.linked', '203.0.113.7'],
    ['session.refresh_reuse', '127.0.0.1'],
    ['user.signed_in', '127.0.0.1'],
  ]);
  await scenario.deleteAccount(access_token);
  const bare = { actor: actor.name, ip: null, details: {} };
  const left = await entriesOf(user.uid);
  expect(left.map(({ action }) => action)).toEqual([...places.map(([action]) => action), 'user.deleted']);
  for (const entry of left) expect(entry).toMatchObject(bare);
  expect(await entriesOf(other.uid)).toMatchObject([
    { ip: '127.0.0.1', details: { method: 'password' } },
    { ip: '203.0.113.7', details: { provider: 'provider-a' } },
  ]);
});

test('an account with the same email in another app is not affected', async () => {
  const user = await service.signUp();
  const { app } = await service.newApp();
  const twin = await service.signUp({ email: user.email, appKey: app.appKey });
  await scenario.send(user.email, { appKey: app.appKey });
  const code = await scenario.codeOf(user.email, 'sign_in');
  await scenario.deleteAccount(user.tokens.access_token);
  const { appKey } = app;
  expect((await service.call('GET', '/me', { appKey, token: twin.tokens.access_token })).status).toBe(200);
  expect((await scenario.verify(user.email, code, { appKey })).data.user.uid).toBe(twin.uid);
});

describe('concurrently with other calls', () => {
  testOnServer('a deletion whose session is ended while it waits deletes nothing', async () => {
    const user = await service.signUp();
    const other = (await service.signIn(user)).data.access_token;
    const [signedOut, deleted] = await oneAfterAnother(service.database, user.uid, [
      () => service.call('POST', '/auth/sign-out-all', { token: other }),
      () => scenario.deleteAccount(user.tokens.access_token),
    ]);
    expect(signedOut.status).toBe(204);
    expect(deleted).toMatchObject(invalid);
    expect((await service.signIn(user)).data.user.uid).toBe(user.uid);
  });

  testOnServer('the codes of the address that it has by then go with the account', async () => {
    const { uid, tokens } = await service.signUp();
    const token = tokens.access_token;
    const next = newEmail();
    const change = await scenario.changeCode(token, next);
    const code = await scenario.signInCode(next);
    const [confirmed, deleted] = await oneAfterAnother(service.database, uid, [
      () => scenario.confirm(token, change),
      () => scenario.deleteAccount(token),
    ]);
    expect([confirmed.status, deleted.status]).toEqual([200, 204]);
    expect(await scenario.verify(next, code)).toMatchObject(invalidCode);
  });

  test('a deletion that comes second succeeds for the user, and finds no user for the backend', async () => {
    const { secretKey } = service.app;
    for (const [token, status, code] of [
      [null, 204, undefined],
      [secretKey, 404, 'auth/user-not-found'],
    ] as const) {
      const { uid, tokens } = await service.signUp();
      const path = token === null ? '/me' : `/admin/users/${uid}`;
      const answer = await lateAnswer(
        service,
        (late) => late.call('DELETE', path, { token: token ?? tokens.access_token }),
        () => scenario.deleteAccount(tokens.access_token),
      );
      expect([answer.status, answer.code]).toEqual([status, code]);
      expect(await eventsOf(uid, 'user.deleted')).toHaveLength(1);
    }
  });

  test('ten deletions delete one account, with one event', async () => {
    for (let round = 0; round < inFull(10, 2); round += 1) {
      const user = await service.signUp();
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => scenario.deleteAccount(user.tokens.access_token)),
      );
      // A deletion that starts after another ended finds no live session; none fails halfway.
      for (const { status, code } of answers) expect([204, 'auth/invalid-token']).toContain(code ?? status);
      expect(answers.some(({ status }) => status === 204)).toBe(true);
      expect(await eventsOf(user.uid, 'user.deleted')).toHaveLength(1);
      expect(await rowsOf(user.uid, user.email)).toMatchObject({ users: 0, sessions: 0 });
    }
  });

  test('no sign-in, refresh or code outlives the account', async () => {
    for (let round = 0; round < inFull(40, 4); round += 1) {
      const user = await service.signUp();
      const code = await scenario.signInCode(user.email);
      const [deleted, ...others] = await Promise.all([
        scenario.deleteAccount(user.tokens.access_token),
        service.signIn(user),
        service.refresh(user.tokens.refresh_token),
        round % 2 ? scenario.verify(user.email, code) : service.signIn(user),
      ]);
      // The code, from a client without a session, may come first: then the deletion finds its session ended.
      const first = deleted.status === 204;
      expect(first ? 204 : deleted.code).toBe(first ? 204 : 'auth/invalid-token');
      if (!first) continue;
      for (const { status, data } of others) {
        expect([200, 401, 422]).toContain(status);
        if (status !== 200) continue;
        expect(await me(data.access_token)).toMatchObject(invalid);
        expect(await service.refresh(data.refresh_token)).toMatchObject(revoked);
      }
      expect(await rowsOf(user.uid, user.email)).toEqual({ users: 0, sessions: 0, identities: 0, codes: 0 });
    }
  });
});
