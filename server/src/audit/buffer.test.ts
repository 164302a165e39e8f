// Entries of failures and refusals: when they are written, how many, and what happens on errors.
import { beforeEach, expect, test } from 'vitest';
import { testOnServer, untilBlocked } from '../../test/blocked.js';
import { cutOff } from '../../test/cut-off.js';
import { statementLog, testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import type { AuditBuffer, BufferedEntry } from '../deps.js';
import { auditBuffer } from './buffer.js';
import { networksPerApp, rowsPerTarget } from './counted-entries.js';

const statements = statementLog();
const lines: string[] = [];
const service = shared(() =>
  testService({
    onStatement: statements.onStatement,
    onLogLine: (line) => lines.push(line),
  }),
);
beforeEach(async () => {
  await service.advance(minute);
  await service.database.prisma.auditLog.deleteMany();
});

const minute = 60_000;
const day = 24 * 60 * minute;
const stored = (where: object = {}) =>
  service.database.prisma.auditLog.findMany({
    where: { appId: service.app.app.id, ...where },
    orderBy: { id: 'asc' },
  });

function note(more: Partial<BufferedEntry> = {}, notes: AuditBuffer = service.deps.auditBuffer): void {
  notes.add({
    appId: service.app.app.id,
    actor: from('203.0.113.7'),
    action: 'user.sign_in_failed',
    details: { method: 'password', reason: 'auth/invalid-credential' },
    ...more,
  });
}

const from = (ip: string) => ({ name: 'anonymous', ip });
const address = (place: number) => `198.51.${Math.floor(place / 250)}.${(place % 250) + 1}`;
const target = (place: number) => ({ target: `secret_key:${place}` });

test('a failed sign-in does not wait for its entry, which exists after the scheduler has run', async () => {
  const { uid, email } = await service.signUp();
  const sent = await statements.during(() => service.signIn({ email, password: 'wrong' }));
  expect(sent.filter((sql) => sql.includes('audit_log'))).toEqual([]);
  expect(await stored({ uid, action: 'user.sign_in_failed' })).toEqual([]);
  await service.advance(1_000);
  expect(await stored({ uid, action: 'user.sign_in_failed' })).toHaveLength(1);
});

test('many entries are written by one statement, in order of arrival', async () => {
  for (let place = 0; place < 250; place += 1) note(target(place));
  const sent = await statements.during(() => service.deps.auditBuffer.flush());
  expect(sent).toHaveLength(1);
  expect((await stored()).map((entry) => entry.target)).toEqual(
    Array.from({ length: 250 }, (_, place) => `secret_key:${place}`),
  );
});

test('failures without a user are counted in one entry per network, action and minute', async () => {
  const other = await service.newApp();
  for (let place = 0; place < 300; place += 1) {
    note({ actor: from(`2001:db8::${place.toString(16)}`) });
    if (place % 3 === 0) note({ actor: from('203.0.113.7'), details: { method: 'email_code' } });
    if (place % 10 === 0) await service.deps.auditBuffer.poll();
  }
  note({ action: 'user.guesses_limited', details: { method: 'any' } });
  note({ appId: other.app.id });
  await service.deps.auditBuffer.flush();
  const failed = { actor: 'anonymous', action: 'user.sign_in_failed', target: `app:${service.app.app.id}` };
  expect(await stored()).toMatchObject([
    {
      ...failed,
      ip: '2001:db8::0',
      details: { method: 'password', reason: 'auth/invalid-credential', count: 300 },
    },
    { ...failed, ip: '203.0.113.7', details: { method: 'email_code', count: 100 } },
    { action: 'user.guesses_limited', details: { method: 'any', count: 1 } },
  ]);
  expect(await stored({ appId: other.app.id, action: failed.action })).toMatchObject([
    { details: { count: 1 } },
  ]);
  await service.advance(minute);
  note();
  await service.deps.auditBuffer.flush();
  expect(await stored({ action: failed.action })).toHaveLength(3);
});

test('a counted entry is updated at most once a second, and stores only the details common to all', async () => {
  note();
  await service.deps.auditBuffer.poll();
  note({ details: { method: 'email_code', reason: 'auth/invalid-credential' } });
  const count = async () => (await stored()).map(({ details }) => details);
  expect(await statements.during(() => service.deps.auditBuffer.poll())).toEqual([]);
  service.clock.advance(1_000);
  await service.deps.auditBuffer.poll();
  expect(await count()).toEqual([{ reason: 'auth/invalid-credential', count: 2 }]);
  expect(await statements.during(() => service.deps.auditBuffer.flush())).toEqual([]);
});

test('a flood from many networks writes a bounded number of rows, and hides no entry that names a user', async () => {
  const victim = await service.signUp();
  await service.database.prisma.auditLog.deleteMany();
  for (let place = 0; place < 5_000; place += 1) {
    note({ actor: from(address(place)), email: `nobody-${place}@example.com` });
    if (place % 1_000 === 0) note({ actor: from(address(place)), email: victim.email });
  }
  // More than the entries of one email that wait for a look-up: the others are counted.
  for (let place = 0; place < 150; place += 1) note({ email: 'junk@example.com' });
  note({ email: victim.email });
  await service.deps.auditBuffer.flush();
  const ofVictim = await stored({ uid: victim.uid });
  expect(ofVictim).toHaveLength(6);
  for (const entry of ofVictim) {
    expect(entry).toMatchObject({ target: `user:${victim.uid}`, expiresAt: null });
    expect(entry.details).not.toHaveProperty('count');
  }
  const others = await stored({ uid: null });
  expect(others).toHaveLength(networksPerApp + 1);
  const total = others.reduce((sum, { details }) => sum + (details as { count: number }).count, 0);
  expect(total).toBe(5_150);
  expect(others.filter(({ ip }) => ip === null)).toHaveLength(1);
});

test("a flood on one account is counted in one entry beyond its limit, and hides no other account's", async () => {
  const [flooded, victim] = [await service.signUp(), await service.signUp()];
  await service.database.prisma.auditLog.deleteMany();
  for (let place = 0; place < 500; place += 1) note({ actor: from(address(place)), uid: flooded.uid });
  note({ uid: victim.uid });
  await service.deps.auditBuffer.flush();
  const entries = await stored({ uid: flooded.uid });
  expect(entries).toHaveLength(rowsPerTarget + 1);
  expect(entries.at(-1)).toMatchObject({
    ip: null,
    details: { method: 'password', count: 500 - rowsPerTarget },
    expiresAt: null,
  });
  expect(await stored({ uid: victim.uid })).toMatchObject([{ ip: '203.0.113.7' }]);
});

test('over HTTP, each of six guesses at an account has its own entry during 60 junk calls', async () => {
  const victim = await service.signUp();
  const junk = () => service.signIn({ email: 'junk@example.com', password: 'junk' });
  const unknownKey = (place: number) => ({ token: `sk_${String(place).padStart(43, 'a')}` });
  for (let guess = 0; guess < 6; guess += 1) {
    for (let place = 0; place < 5; place += 1) {
      await Promise.all([junk(), service.call('GET', '/admin/users', unknownKey(5 * guess + place))]);
    }
    await service.signIn({ email: victim.email, password: 'a guess' });
  }
  await service.deps.auditBuffer.flush();
  expect(await stored({ uid: victim.uid, action: 'user.sign_in_failed' })).toHaveLength(6);
  const counted = await stored({ uid: null });
  expect(counted).toHaveLength(2);
  for (const { details } of counted) expect(details).toMatchObject({ count: 30 });
});

test('counted entries without a user are stored for 30 days, all others for 400', async () => {
  const { uid } = await service.signUp();
  await service.database.prisma.auditLog.deleteMany();
  note();
  note({ uid });
  await service.advance(30 * day - minute);
  expect(await stored({ action: 'user.sign_in_failed' })).toHaveLength(2);
  await service.advance(day);
  expect(await stored({ action: 'user.sign_in_failed' })).toMatchObject([{ uid }]);
  await service.advance(370 * day);
  expect(await stored({ action: 'user.sign_in_failed' })).toEqual([]);
});

test('of equal entries recorded once a minute only the first is stored, per target and app', async () => {
  const other = await service.newApp();
  for (let place = 0; place < 5; place += 1) {
    note({ onceAMinute: 'a', target: 'secret_key:1' });
    note({ onceAMinute: 'b', target: 'secret_key:1' });
    note({ onceAMinute: 'a', target: 'secret_key:2' });
    note({ onceAMinute: 'a', target: 'secret_key:1', appId: other.app.id });
  }
  await service.advance(minute);
  expect(await stored()).toHaveLength(3);
  expect(await stored({ appId: other.app.id, action: 'user.sign_in_failed' })).toHaveLength(1);
  note({ onceAMinute: 'a', target: 'secret_key:1' });
  await service.deps.auditBuffer.flush();
  expect(await stored()).toHaveLength(4);
});

test('an entry that is repeated while it is written counts the repetition, too', async () => {
  let repeat = () => {};
  const prisma = new Proxy(service.database.prisma, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== '$executeRaw') return value;
      return (...args: unknown[]) => {
        repeat();
        return value.apply(target, args);
      };
    },
  });
  const notes = auditBuffer({ ...service.deps, prisma });
  note({}, notes);
  repeat = () => {
    repeat = () => {};
    note({}, notes);
  };
  await notes.flush();
  await notes.flush();
  expect((await stored()).map(({ details }) => (details as { count?: number }).count)).toEqual([2]);
  await notes.close();
});

test('a stop writes buffered entries', async () => {
  const second = await service.secondInstance();
  await second.signIn({ email: 'nobody@example.com', password: 'x' });
  expect(await stored()).toEqual([]);
  await second.stop();
  expect(await stored()).toHaveLength(1);
});

test('entries are buffered while the database is down, and written after it recovers', async () => {
  const { state, prisma } = cutOff(service.database);
  const notes = auditBuffer({ ...service.deps, prisma });
  const { email, uid } = await service.signUp();
  await service.database.prisma.auditLog.deleteMany();
  for (let place = 0; place < 3; place += 1) {
    note({ email }, notes);
    note(target(place), notes);
    note({}, notes);
    await notes.flush();
  }
  expect(await stored()).toEqual([]);
  state.away = false;
  await notes.flush();
  expect(await stored({ uid })).toHaveLength(3);
  expect(await stored()).toHaveLength(7);
  await notes.close();
});

test('of an outage that lasts longer than 10,000 entries, an entry of each app says how many were lost', async () => {
  const other = await service.newApp();
  const { state, prisma } = cutOff(service.database);
  const notes = auditBuffer({ ...service.deps, prisma });
  for (let place = 0; place < 10_000; place += 1) {
    if (place === 5_000) service.clock.advance(minute);
    note(target(place), notes);
  }
  service.clock.advance(minute);
  for (let place = 0; place < 3; place += 1) note(target(place), notes);
  note({ ...target(0), appId: other.app.id }, notes);
  await notes.flush();
  service.clock.advance(minute);
  for (let place = 0; place < 2; place += 1) note(target(place), notes);
  state.away = false;
  await notes.close();
  const lost = async (appId: string) =>
    (await stored({ appId, action: 'audit.left_out' })).map(({ actor, details }) => ({ actor, details }));
  const said = (count: number) => ({ actor: 'service', details: { count } });
  expect(await lost(service.app.app.id)).toEqual([said(3), said(2)]);
  expect(await lost(other.app.id)).toEqual([said(1)]);
  const where = { action: 'user.sign_in_failed' };
  expect(await service.database.prisma.auditLog.count({ where })).toBe(10_000);
});

test('how many entries an outage has lost is written in the minute after, without another entry', async () => {
  const { state, prisma } = cutOff(service.database);
  const notes = auditBuffer({ ...service.deps, prisma });
  for (let place = 0; place < 10_001; place += 1) {
    if (place === 5_000) service.clock.advance(minute);
    note(target(place % 5_000), notes);
  }
  state.away = false;
  service.clock.advance(minute);
  await notes.flush();
  expect(await stored({ action: 'audit.left_out' })).toMatchObject([
    { actor: 'service', details: { count: 1 } },
  ]);
  await notes.close();
});

testOnServer(
  'an entry about a user who is being deleted keeps neither the IP address nor the details',
  async () => {
    const { uid } = await service.signUp();
    const { prisma } = service.database;
    let flushed: Promise<void> | undefined;
    await prisma.$transaction(async (tx) => {
      await tx.$executeRaw`DELETE FROM users WHERE id = ${uid}`;
      note({ uid });
      flushed = service.deps.auditBuffer.flush();
      await untilBlocked(service.database, 1);
    });
    await flushed;
    const [entry] = await stored({ uid, action: 'user.sign_in_failed' });
    expect([entry?.ip, entry?.details]).toEqual([null, {}]);
  },
);

test('a stop while the database is down logs how many entries are lost', async () => {
  const notes = auditBuffer({ ...service.deps, prisma: cutOff(service.database).prisma });
  note({ email: 'lost@example.com' }, notes);
  const from = lines.length;
  await notes.close();
  const said = lines.slice(from).join('');
  expect(said).toContain('"entries":1');
  expect(said).not.toContain('lost@example.com');
});

test('a stop while the database does not answer waits for one attempt, not for each that the timer has asked for', async () => {
  let attempts = 0;
  const $executeRaw = async () => {
    attempts += 1;
    await new Promise(setImmediate);
    throw Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' });
  };
  const prisma = { $executeRaw } as unknown as typeof service.database.prisma;
  const notes = auditBuffer({ ...service.deps, prisma });
  note({}, notes);
  for (let place = 0; place < 100; place += 1) void (place % 10 === 0 ? notes.flush() : notes.poll());
  await notes.close();
  expect(attempts).toBeLessThanOrEqual(2);
});

test('entries that the database rejects are lost, and the log says how many', async () => {
  const { prisma } = service.database;
  await prisma.$executeRaw`ALTER TABLE audit_log RENAME COLUMN actor TO other`;
  const from = lines.length;
  note({ email: 'lost@example.com' });
  await service.deps.auditBuffer.flush();
  await prisma.$executeRaw`ALTER TABLE audit_log RENAME COLUMN other TO actor`;
  const said = lines.slice(from).join('');
  expect(said.match(/audit entries are lost/g)).toHaveLength(1);
  expect(said).not.toContain('lost@example.com');
  note();
  await service.deps.auditBuffer.flush();
  expect(await stored()).toHaveLength(1);
});

test('entries whose emails cannot be looked up are counted without a user', async () => {
  const { prisma } = service.database;
  const { email } = await service.signUp();
  await prisma.auditLog.deleteMany();
  await prisma.$executeRaw`ALTER TABLE users RENAME COLUMN email TO other`;
  const from = lines.length;
  for (let place = 0; place < 2; place += 1) note({ email });
  await service.deps.auditBuffer.flush();
  await prisma.$executeRaw`ALTER TABLE users RENAME COLUMN other TO email`;
  expect(await stored()).toMatchObject([{ uid: null, details: { count: 2 } }]);
  const said = lines.slice(from).join('');
  expect(said).toContain('audit entries are stored without their users');
  expect(said).not.toContain('are lost');
  expect(said).not.toContain(email);
});
