// The password queue over HTTP: a flood on one app hardly affects another, and each network has its own share.
import { randomUUID } from 'node:crypto';
import { limits } from '@foyer/contract';
import { hashSync } from 'bcryptjs';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { testService } from '../../test/harness.js';
import { type HeldHasher, heldHasher } from '../../test/held-hasher.js';
import { from, newAddress } from '../../test/limited-service.js';
import { shared } from '../../test/shared.js';
import type { HashCaller, PasswordHasher } from './password-hasher.js';

// One, so that jobs end in order.
const threads = 1;
/** A thread has one job that runs and one that follows. */
const begun = 2 * threads;
const maxWaiting = 128;
/** Each step of the cost doubles the time of a test: 12 instead of 14, with room for as many of them. */
const costliest = 12;
const maxRoundsWaiting = limits.waitingPasswords.costliestBcryptJobs * 2 ** costliest;
let held: HeldHasher;
let callers: HashCaller[] = [];
/** Completed jobs when a job of this app ended. */
let doneAt: { appId: string; done: number }[] = [];
const service = shared(async () => {
  held = await heldHasher({ threads, maxWaiting, maxRoundsWaiting, networkShares: true });
  const passwordHasher: PasswordHasher = Object.create(held.hasher, {
    verify: {
      async value(hash: string, typed: string, caller: HashCaller) {
        callers.push(caller);
        const fits = await held.hasher.verify(hash, typed, caller);
        doneAt.push({ appId: caller.appId, done: held.hasher.done });
        return fits;
      },
    },
  });
  return testService({ rateLimits: true, config: { trustProxy: 1 }, overrides: { passwordHasher } });
});
beforeEach(() => {
  callers = [];
  doneAt = [];
});
afterAll(() => held.hasher.close());

const password = 'right password';
const newEmail = () => `${randomUUID()}@example.com`;

function signIn(address: string, email: string, appKey = service.app.app.appKey, typed = password) {
  return service.call('POST', '/auth/sign-in', {
    ...from(address),
    appKey,
    body: { email, password: typed },
  });
}

async function newUser(appKey = service.app.app.appKey): Promise<string> {
  const email = newEmail();
  const answer = await service.call('POST', '/auth/sign-up', {
    ...from(newAddress()),
    appKey,
    body: { email, password },
  });
  expect(answer.status).toBe(201);
  return email;
}

/** Waits until this many sign-ins reached the queue: each runs, waits or is refused. */
const untilAsked = (count: number) => vi.waitUntil(() => callers.length >= count, { timeout: 60_000 });

test('100 connections on one app neither refuse nor delay correct sign-ins of another', async () => {
  const other = await service.newApp();
  const appKey = other.app.appKey;
  const owners: string[] = [];
  for (let user = 0; user < 10; user += 1) owners.push(await newUser(appKey));
  callers = [];
  held.hold();
  const strangers = Array.from({ length: 100 }, () => signIn(newAddress(), newEmail()));
  await untilAsked(strangers.length);
  // Half of the queue is theirs; the rest is refused.
  expect(held.hasher.waiting).toBe(maxWaiting / 2);
  const rightOnes = owners.map((email) => signIn(newAddress(), email, appKey));
  await untilAsked(strangers.length + owners.length);
  expect(held.hasher.waiting).toBe(maxWaiting / 2 + owners.length);
  const { done } = held.hasher;
  held.release();
  const statuses = (await Promise.all(rightOnes)).map(({ status }) => status);
  expect(statuses).toEqual(owners.map(() => 200));
  // Every other job was an attacker's, plus those that a thread already had.
  const last = Math.max(...doneAt.filter(({ appId }) => appId === other.app.id).map((one) => one.done));
  expect(last - done).toBeLessThanOrEqual(2 * owners.length + begun);
  const answers = (await Promise.all(strangers)).map(({ status }) => status);
  expect(answers.filter((status) => status === 401)).toHaveLength(begun + maxWaiting / 2);
  expect(new Set(answers)).toEqual(new Set([401, 503]));
});

test('one network has eight places in the queue, and a ninth sign-in is refused alike for every email', async () => {
  const known = await newUser();
  const [address, another] = [newAddress(), newAddress()];
  callers = [];
  held.hold();
  const rush = Array.from({ length: begun + 8 }, () => signIn(address, newEmail()));
  await untilAsked(rush.length);
  const refused = [await signIn(address, known), await signIn(address, newEmail())];
  const neighbour = signIn(another, known);
  await untilAsked(rush.length + 3);
  held.release();
  for (const answer of refused) {
    expect(answer).toMatchObject({ status: 503, code: 'request/unavailable' });
    expect(answer.headers.get('retry-after')).toBe('2');
  }
  expect((await neighbour).status).toBe(200);
  expect(new Set((await Promise.all(rush)).map(({ status }) => status))).toEqual(new Set([401]));
});

/** A user with a hash of this cost. Hashes of a high cost take too long to make, and match no password. */
async function importedUser(cost: number): Promise<string> {
  const email = await newUser();
  const hash = hashSync(password, 4).replace('$04$', `$${String(cost).padStart(2, '0')}$`);
  await service.database.prisma.user.updateMany({ where: { email }, data: { passwordHash: hash } });
  return email;
}

test('v1 hashes of one network wait up to a share of the work, concurrently with current hashes', async () => {
  const [cheap, usual, own] = [await importedUser(4), await importedUser(10), await newUser()];
  const [address, another] = [newAddress(), newAddress()];
  callers = [];
  held.hold();
  const accepted = Array.from({ length: 5 }, () => signIn(address, usual, undefined, 'wrong'));
  await untilAsked(5);
  // One begins and four wait.
  const refused = await signIn(address, cheap);
  const others = [signIn(another, cheap), signIn(address, own)];
  await untilAsked(8);
  held.release();
  expect(refused.status).toBe(503);
  expect((await Promise.all([...accepted, ...others])).map(({ status }) => status)).toEqual([
    401, 401, 401, 401, 401, 200, 200,
  ]);
});

test('one network with the costliest hashes refuses no right sign-in to an imported account', async () => {
  const [costly, imported] = [await importedUser(costliest), await importedUser(costliest)];
  const right: string[] = [];
  for (let user = 0; user < 10; user += 1) right.push(await importedUser(4));
  const address = newAddress();
  callers = [];
  held.hold();
  // The first begins, the second waits.
  const flood = [signIn(address, costly, undefined, 'wrong'), signIn(address, costly, undefined, 'wrong')];
  await untilAsked(2);
  const refused = await signIn(address, imported);
  // A costly one of another network waits beside it, and the cheap ones of ten more run before.
  const neighbour = signIn(newAddress(), imported, undefined, 'wrong');
  const owners = right.map((email) => signIn(newAddress(), email));
  await untilAsked(4 + owners.length);
  held.release();
  expect(refused.status).toBe(503);
  expect((await Promise.all(owners)).map(({ status }) => status)).toEqual(right.map(() => 200));
  expect((await Promise.all([...flood, neighbour])).map(({ status }) => status)).toEqual([401, 401, 401]);
});

test('failures count alike for known and unknown emails, and lower the priority of later sign-ins', async () => {
  const asked = async (email: string) => {
    callers = [];
    const address = newAddress();
    for (const typed of ['wrong', 'wrong', password]) await signIn(address, email, undefined, typed);
    return callers.map((caller) => 'hasFailures' in caller && caller.hasFailures);
  };
  const known = await newUser();
  expect(await asked(newEmail())).toEqual([false, true, true]);
  expect(await asked(known)).toEqual([false, true, true]);
});
