// Sign-in with a password: equal answers and work for every failure, and concurrent revocations.
import type { TokenAnswer } from '@foyer/contract';
import { describe, expect, test, vi } from 'vitest';
import type { PasswordHasher } from '../../engines/hashing/index.js';
import { argon2Parameters, passwordHasher } from '../../engines/hashing/password-hasher.js';
import { untilBlocked } from '../../test/blocked.js';
import { type Answer, statementLog, type TestUser, testService } from '../../test/harness.js';
import { forBackend, heldHasher } from '../../test/held-hasher.js';
import { invalid, revoked, sessionScenario } from '../../test/session-scenario.js';
import { shared } from '../../test/shared.js';
import { commandLine } from '../model/actor.js';
import { signOutEverywhere } from '../sessions/end-sessions.js';

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));

const { eventsOf, me, spend } = sessionScenario(() => service);
const wrong = { status: 401, code: 'auth/invalid-credential' };
const disabled = { status: 403, code: 'auth/user-disabled' };
const unavailable = { status: 503, code: 'request/unavailable' };
const nobody = () => `nobody-${service.deps.random.bytes(4).toString('hex')}@example.com`;

function update(user: TestUser, data: { disabled?: boolean; passwordHash?: string | null }) {
  const where = { appId_id: { appId: service.app.app.id, id: user.uid } };
  return service.database.prisma.user.update({ where, data });
}

async function storedHash({ uid: id }: TestUser): Promise<string | null> {
  return (await service.database.prisma.user.findFirstOrThrow({ where: { id } })).passwordHash;
}

describe('the answer', () => {
  test('to the right password is a token answer with its own session and event', async () => {
    const user = await service.signUp();
    const answer = await service.signIn(user);
    expect(answer).toMatchObject({ status: 200, data: { user: user.tokens.user } });
    expect((await me(answer.data.access_token)).status).toBe(200);
    expect(await eventsOf(user.uid, 'session.created')).toHaveLength(2);
    expect(answer.data).not.toHaveProperty('is_new_user');
  });

  test('is the same for a disabled account, unless the password is right', async () => {
    const user = await service.signUp();
    await update(user, { disabled: true });
    expect(await service.signIn({ ...user, password: 'wrong horse' })).toMatchObject(wrong);
    expect(await service.signIn(user)).toMatchObject(disabled);
    expect(await eventsOf(user.uid, 'session.created')).toHaveLength(1);
  });

  test('never signs in to an account of another app with the same email', async () => {
    const user = await service.signUp();
    const other = await service.newApp();
    const appKey = other.app.appKey;
    expect(await service.signIn(user, { appKey })).toMatchObject(wrong);
    const twin = await service.signUp({ email: user.email, password: 'another password', appKey });
    expect(twin.uid).not.toBe(user.uid);
    expect(await service.signIn(twin)).toMatchObject(wrong);
    expect((await service.signIn(user)).data.user.uid).toBe(user.uid);
  });
});

describe('the work', () => {
  async function workOf(user: { email: string; password: string }) {
    const { passwordHasher } = service.deps;
    const before = passwordHasher.done;
    const sent = await statements.during(() => service.signIn(user));
    return { hashes: passwordHasher.done - before, sent };
  }

  // same-for-every-email.test.ts compares all failures.
  test('for a right password is one hash and two statements, and of a disabled account that of a wrong one', async () => {
    const user = await service.signUp();
    const { hashes, sent } = await workOf(user);
    expect([hashes, sent.length]).toEqual([1, 2]);
    const wrongWork = await workOf({ ...user, password: 'wrong horse' });
    expect([wrongWork.hashes, wrongWork.sent.length]).toEqual([1, 1]);
    await update(user, { disabled: true });
    expect(await workOf(user)).toEqual(wrongWork);
  });
});

describe('the password', () => {
  test('is normalised: an accent apart or in one is the same', async () => {
    const user = await service.signUp({ password: 'cafe\u0301 society' });
    expect((await service.signIn({ ...user, password: 'caf\u00e9 society' })).status).toBe(200);
  });

  test('is never trimmed, truncated or changed in case', async () => {
    const user = await service.signUp({ password: ` ${'x'.repeat(80)}A ` });
    const { password } = user;
    for (const other of [password.trim(), password.slice(0, 72), password.toLowerCase(), `${password} `]) {
      expect(await service.signIn({ ...user, password: other })).toMatchObject(wrong);
    }
    expect((await service.signIn(user)).status).toBe(200);
  });

  test('too short to be set is answered like a wrong one', async () => {
    const user = await service.signUp();
    for (const password of ['', 'x', '1234567']) {
      expect(await service.signIn({ ...user, password })).toMatchObject(wrong);
    }
  });

  test('of 1,024 bytes works, and one of 1,025 is refused for its length, never truncated', async () => {
    const longest = `${'é'.repeat(511)}xy`;
    expect(Buffer.byteLength(longest)).toBe(1_024);
    const user = await service.signUp({ password: longest });
    expect((await service.signIn(user)).status).toBe(200);
    expect(await service.signIn({ ...user, password: `${longest.slice(0, -1)}z` })).toMatchObject(wrong);
    const sent = await service.signIn({ ...user, password: `${longest}z` });
    expect(sent).toMatchObject({ status: 422, code: 'request/validation-failed' });
    expect(Object.keys(sent.json.error.fields)).toEqual(['password']);
  });
});

describe('changed parameters', () => {
  test('rehash the password at the next sign-in, which works before and after', async () => {
    const user = await service.signUp();
    const before = await storedHash(user);
    const current = passwordHasher(service.deps.random, { parameters: argon2Parameters, threads: 1 });
    const later = await service.secondInstance({ overrides: { passwordHasher: current } });
    expect(await later.signIn({ ...user, password: 'wrong horse' })).toMatchObject(wrong);
    expect(await storedHash(user)).toBe(before);

    expect((await later.signIn(user)).status).toBe(200);
    const after = await storedHash(user);
    expect(before).toMatch(/^\$argon2id\$v=19\$m=8,/);
    expect(after).toMatch(/^\$argon2id\$v=19\$m=19456,/);
    expect((await later.signIn(user)).status).toBe(200);
    expect(await storedHash(user)).toBe(after);
    expect(await later.signIn({ ...user, password: 'wrong horse' })).toMatchObject(wrong);
    // Sessions are not affected.
    await spend(user.tokens.refresh_token);
    await later.stop();
    await current.close();
  });
});

describe('a revocation between verification and session', () => {
  /** A second instance whose verifications are each followed by an action before they return. */
  async function interrupted(then: (() => Promise<unknown>)[]) {
    let proofs = 0;
    const { passwordHasher } = service.deps;
    const slow: PasswordHasher = {
      ...passwordHasher,
      async verify(hash, password, caller) {
        const fits = await passwordHasher.verify(hash, password, caller);
        await then[proofs]?.();
        proofs += 1;
        return fits;
      },
    };
    const instance = await service.secondInstance({ overrides: { passwordHasher: slow } });
    return { instance, proofs: () => proofs };
  }
  const callOf = ({ uid }: TestUser) => ({ app: service.app.app, uid, actor: commandLine });

  test('causes a second verification, and the new session stays live', async () => {
    const user = await service.signUp();
    const { instance, proofs } = await interrupted([() => signOutEverywhere(service.deps, callOf(user))]);
    const answer = await instance.signIn(user);
    expect([answer.status, proofs()]).toEqual([200, 2]);
    expect((await me(answer.data.access_token)).status).toBe(200);
    expect(await service.refresh(user.tokens.refresh_token)).toMatchObject(revoked);
    expect(await eventsOf(user.uid, 'session.created')).toHaveLength(2);
    await instance.stop();
  });

  test('refuses a password that was changed meanwhile', async () => {
    const user = await service.signUp();
    const { instance, proofs } = await interrupted([
      async () => {
        await update(user, {
          passwordHash: await forBackend(service.deps.passwordHasher).hash('a new password'),
        });
        await signOutEverywhere(service.deps, callOf(user));
      },
    ]);
    expect(await instance.signIn(user)).toMatchObject(wrong);
    expect(proofs()).toBe(2);
    expect((await service.signIn({ ...user, password: 'a new password' })).status).toBe(200);
    await instance.stop();
  });

  test('refuses an account that was disabled meanwhile', async () => {
    const user = await service.signUp();
    const { instance } = await interrupted([() => update(user, { disabled: true })]);
    expect(await instance.signIn(user)).toMatchObject(disabled);
    expect(await me(user.tokens.access_token)).toMatchObject(invalid);
    await instance.stop();
  });

  test('repeated three times answers 503 after the third verification, and starts no session', async () => {
    const user = await service.signUp();
    const revoke = () => signOutEverywhere(service.deps, callOf(user));
    const { instance, proofs } = await interrupted([revoke, revoke, revoke]);
    const answer = await instance.signIn(user);
    expect(answer).toMatchObject(unavailable);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(proofs()).toBe(3);
    expect(await eventsOf(user.uid, 'session.created')).toHaveLength(1);
    await instance.stop();
  });

  test('in progress blocks the sign-in, which then verifies again and starts a live session', async () => {
    const user = await service.signUp();
    const { prisma } = service.database;
    let commit = () => {};
    const mayCommit = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let revocation: Promise<unknown> = Promise.resolve();
    const { instance, proofs } = await interrupted([
      async () => {
        // The user row is locked with its version incremented; the sign-in starts its session meanwhile.
        await new Promise<void>((begun) => {
          revocation = prisma.$transaction(async (tx) => {
            await tx.$executeRaw`UPDATE users SET credential_version = credential_version + 1 WHERE id = ${user.uid}`;
            begun();
            await mayCommit;
            await tx.$executeRaw`UPDATE sessions SET ended_at = now() WHERE user_id = ${user.uid} AND ended_at IS NULL`;
          });
        });
      },
    ]);
    const signingIn = instance.signIn(user);
    await vi.waitUntil(() => proofs() === 1, { timeout: 60_000 });
    await untilBlocked(service.database, 1);
    commit();
    const answer = await signingIn;
    await revocation;
    expect([answer.status, proofs()]).toEqual([200, 2]);
    expect((await me(answer.data.access_token)).status).toBe(200);
    await instance.stop();
  });
});

describe('a full password queue', () => {
  test('answers 503 with Retry-After, while refresh and /me work, and accepts sign-ins after it advances', async () => {
    const { hasher: slow, hold, release } = await heldHasher({ threads: 1, maxWaiting: 4 });
    const busy = await service.secondInstance({ overrides: { passwordHasher: slow } });
    const user = await service.signUp();
    hold();
    const rush: Promise<Answer<TokenAnswer>>[] = [];
    const unknown = { email: nobody(), password: 'any password' };
    for (let calls = 0; calls < 12; calls += 1) rush.push(busy.signIn(unknown));
    await vi.waitUntil(() => slow.waiting === 2, { timeout: 60_000 });

    const full = await busy.signIn(unknown);
    expect(full).toMatchObject(unavailable);
    expect(full.headers.get('retry-after')).toBe('2');
    expect((await busy.call('GET', '/me', { token: user.tokens.access_token })).status).toBe(200);
    expect((await busy.refresh(user.tokens.refresh_token)).status).toBe(200);
    expect(slow.waiting).toBe(2);

    release();
    const statuses = (await Promise.all(rush)).map((answer) => answer.status);
    expect(new Set(statuses)).toEqual(new Set([401, 503]));
    expect((await busy.signIn(user)).status).toBe(200);
    await busy.stop();
    await slow.close();
  });
});
