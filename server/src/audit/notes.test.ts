// Entries of failures and refusals: when they are written, how many, and what becomes of them when something is amiss.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cheapPasswordHasher, statementLog, type TestService, testService } from '../../test/harness.js';
import { type AuditNotes, auditNotes, notesPerMinute } from './notes.js';

const statements = statementLog();
const lines: string[] = [];
let service: TestService;
beforeAll(async () => {
  service = await testService({
    onStatement: statements.onStatement,
    onLogLine: (line) => lines.push(line),
    given: { passwordHasher: await cheapPasswordHasher() },
  });
});
beforeEach(async () => {
  await service.advance(minute);
  await service.database.prisma.auditLog.deleteMany();
});
afterAll(() => service.stop());

const minute = 60_000;
const stored = (where: object = {}) =>
  service.database.prisma.auditLog.findMany({
    where: { appId: service.app.app.id, ...where },
    orderBy: { id: 'asc' },
  });

function note(
  more: { onceAMinute?: string; appId?: string; email?: string } = {},
  notes: AuditNotes = service.deps.auditNotes,
): void {
  notes.note({
    appId: service.app.app.id,
    actor: { name: 'anonymous', ipAddress: '203.0.113.7' },
    action: 'user.sign_in_failed',
    details: { method: 'password', reason: 'auth/invalid-credential' },
    ...more,
  });
}

test('a failed sign-in waits for no entry, and its entry is there once the due work has run', async () => {
  await service.signIn({ email: 'nobody@example.com', password: 'x' });
  const sent = await statements.during(() =>
    service.signIn({ email: 'nobody@example.com', password: 'wrong' }),
  );
  expect(sent.filter((sql) => sql.includes('audit_log'))).toEqual([]);
  expect(await stored()).toEqual([]);
  await service.advance(1_000);
  expect(await stored()).toHaveLength(2);
});

test('many are written by one statement, in the order in which they came', async () => {
  for (let place = 0; place < 250; place += 1) note();
  const sent = await statements.during(() => service.deps.auditNotes.flush());
  expect(sent).toHaveLength(1);
  expect(await stored()).toHaveLength(250);
});

test('an app keeps so many a minute, whatever comes, and tells how many it left out', async () => {
  const other = await service.newApp();
  for (let place = 0; place < notesPerMinute + 7; place += 1) note();
  note({ appId: other.app.id });
  await service.deps.auditNotes.flush();
  expect(await stored()).toHaveLength(notesPerMinute);
  expect(await stored({ appId: other.app.id, action: 'user.sign_in_failed' })).toHaveLength(1);
  await service.advance(minute);
  expect(await stored({ action: 'audit.left_out' })).toMatchObject([
    { actor: 'service', target: `app:${service.app.app.id}`, details: { count: '7' } },
  ]);
  note();
  await service.deps.auditNotes.flush();
  expect(await stored({ action: 'user.sign_in_failed' })).toHaveLength(notesPerMinute + 1);
});

test('of equal ones the first of each minute is kept, in each app', async () => {
  const other = await service.newApp();
  for (let place = 0; place < 5; place += 1) {
    note({ onceAMinute: 'a' });
    note({ onceAMinute: 'b' });
    note({ onceAMinute: 'a', appId: other.app.id });
  }
  await service.advance(minute);
  expect(await stored()).toHaveLength(2);
  expect(await stored({ appId: other.app.id, action: 'user.sign_in_failed' })).toHaveLength(1);
  note({ onceAMinute: 'a' });
  await service.deps.auditNotes.flush();
  expect(await stored()).toHaveLength(3);
});

test('a stop writes what waits', async () => {
  const beside = await service.beside();
  await beside.signIn({ email: 'nobody@example.com', password: 'x' });
  expect(await stored()).toEqual([]);
  await beside.stop();
  expect(await stored()).toHaveLength(1);
});

/** The database, and a switch. */
function cutOff() {
  const { prisma } = service.database;
  const state = { away: true };
  const $executeRaw = (...values: Parameters<typeof prisma.$executeRaw>) =>
    state.away
      ? Promise.reject(Object.assign(new Error('cut off'), { code: 'ECONNREFUSED' }))
      : prisma.$executeRaw(...values);
  return { state, prisma: { $executeRaw } as typeof prisma };
}

test('what the database is away for waits, and is written once it is back', async () => {
  const { state, prisma } = cutOff();
  const notes = auditNotes({ ...service.deps, prisma });
  for (let place = 0; place < 3; place += 1) {
    note({}, notes);
    await notes.flush();
  }
  expect(await stored()).toEqual([]);
  state.away = false;
  await notes.flush();
  expect(await stored()).toHaveLength(3);
  await notes.close();
});

test('a stop while the database is away says how many are lost', async () => {
  const notes = auditNotes({ ...service.deps, prisma: cutOff().prisma });
  note({ email: 'lost@example.com' }, notes);
  const from = lines.length;
  await notes.close();
  const said = lines.slice(from).join('');
  expect(said).toContain('"entries":1');
  expect(said).not.toContain('lost@example.com');
});

test('what the database refuses is lost, and the log says how many', async () => {
  const { prisma } = service.database;
  await prisma.$executeRaw`ALTER TABLE audit_log RENAME COLUMN actor TO other`;
  const from = lines.length;
  note({ email: 'lost@example.com' });
  await service.deps.auditNotes.flush();
  await prisma.$executeRaw`ALTER TABLE audit_log RENAME COLUMN other TO actor`;
  const said = lines.slice(from).join('');
  expect(said.match(/entries of the audit log are lost/g)).toHaveLength(1);
  expect(said).not.toContain('lost@example.com');
  note();
  await service.deps.auditNotes.flush();
  expect(await stored()).toHaveLength(1);
});
