// The export of a user's data: what it contains, compared with every table of the database, and what becomes of it.
import { createHash } from 'node:crypto';
import { limits, type UserExport } from '@foyer/contract';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FileStore } from '../../engines/file-store/index.js';
import { callIn } from '../../test/call-in.js';
import { secretKeyWith } from '../../test/data-scenario.js';
import { type CallOptions, passQueueTime, type TestUser, testService } from '../../test/harness.js';
import { lateAnswer } from '../../test/held-transactions.js';
import { passkeyScenario } from '../../test/passkey-scenario.js';
import { expectRefusal } from '../../test/refusal.js';
import { secondFactorScenario } from '../../test/second-factor-scenario.js';
import { shared } from '../../test/shared.js';
import { appTables } from '../apps/store.js';
import { findSessionOfToken } from '../sessions/find-session.js';
import { requestExport } from './request-export.js';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const service = shared(async () => {
  const started = await testService();
  await started.changeSettings({ second_factor: 'optional' });
  await passkeyScenario(() => started).enable();
  return started;
});

const backend = (): CallOptions => ({ token: service.app.secretKey });
const as = ({ tokens }: TestUser): CallOptions => ({ token: tokens.access_token });
const request = (user: TestUser) => service.call<UserExport>('POST', '/me/export', as(user));
const read = (user: TestUser) => service.call<UserExport>('GET', '/me/export', as(user));
const requestOf = (uid: string) => service.call<UserExport>('POST', `/admin/users/${uid}/export`, backend());
const readOf = (uid: string) => service.call<UserExport>('GET', `/admin/users/${uid}/export`, backend());
const runJobs = () => service.deps.queue.runNow();
const none = { status: 'none', requested_at: null, file_id: null, size: null, expires_at: null };

async function signInAgain(user: TestUser): Promise<TestUser> {
  return { ...user, tokens: (await service.signIn(user)).data };
}

async function textOf(fileId: string): Promise<string> {
  const { data } = await service.call<{ url: string }>('GET', `/files/${fileId}/url`, backend());
  const { pathname, search } = new URL(data.url);
  const answer = await fetch(`${service.url}${pathname}${search}`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
  return answer.text();
}

/** Whether the store has the bytes of a file. */
async function isStored(fileId: string): Promise<boolean> {
  const opened = { range: null, contentType: 'application/json', disposition: 'attachment' };
  return (await service.deps.fileStore.open({ appId: service.app.app.id, fileId }, opened)) !== null;
}

async function done(method: string, path: string, options: CallOptions) {
  const answer = await service.call<{ id: string }>(method, path, options);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.data;
}

/** A user with a row in every table that may have one, and with texts that name the user. */
async function fullUser(name: string): Promise<TestUser> {
  const email = `${name}@example.com`;
  const headers = { 'x-client-device': `Phone of ${name}`, 'x-client-version': `1.2-${name}` };
  const password = `password of ${name}`;
  await done('POST', '/auth/sign-up', { body: { email, password }, headers });
  const user = { email, password, ...(await service.signIn({ email, password }, { headers })) };
  const { tokens, uid } = { tokens: user.data, uid: user.data.user.uid };
  const own = { token: tokens.access_token };
  await done('PATCH', '/me', { ...own, body: { first_name: `First ${name}`, last_name: `Last ${name}` } });
  await done('PUT', `/admin/users/${uid}/claims`, {
    ...backend(),
    body: { claims: { role: `role of ${name}` } },
  });
  for (const [points, description] of [
    [500, `Dinner of ${name}`],
    [-20, `Coffee of ${name}`],
  ]) {
    const body = { points, description, reference: `${description}, ordered` };
    await done('POST', `/admin/users/${uid}/loyalty/entries`, { ...backend(), body });
  }
  await service.call('POST', '/admin/collections', {
    ...backend(),
    body: { name: 'diaries', access_mode: 'owner' },
  });
  await done('PUT', `/data/diaries/${name}`, {
    ...own,
    body: { fields: { text: `Diary of ${name}`, big: 1e300 } },
  });
  const form = new FormData();
  form.set('file', new Blob([`File of ${name}`], { type: 'text/plain' }), `${name}.txt`);
  await done('POST', '/files', { ...own, form });
  const device = await done('POST', '/push/devices', {
    ...own,
    body: { provider: 'fcm', platform: 'android', token: `token-of-${name}`, name: `Push of ${name}` },
  });
  await done('PUT', `/push/devices/${device.id}/topics/topic-${name}`, own);
  await passkeyScenario(() => service).register(tokens.access_token);
  await secondFactorScenario(() => service).enroll(own);
  await service.database.prisma.identity.create({
    data: {
      ...{ appId: service.app.app.id, provider: 'provider-a', subject: `subject-${name}`, uid, email },
      ...{ clientId: 'web', linkedAt: service.clock.now(), userCreatedAt: service.clock.now() },
      refreshToken: Buffer.from('token of the provider'),
    },
  });
  await storeByMessage({ uid, email, deviceId: device.id }, name);
  await done('POST', '/auth/email/verification/send', own);
  await done('POST', `/admin/users/${uid}/notes`, { ...backend(), body: { text: `Note on ${name}` } });
  await service.auditEntries();
  return { uid, email, password, tokens };
}

/** A push message to the user, its receipt, and an attempt of a webhook whose receiver repeats the event. */
async function storeByMessage(user: { uid: string; email: string; deviceId: string }, name: string) {
  const { prisma } = service.database;
  const appId = service.app.app.id;
  const [messageId, createdAt] = [`message-${name}`, service.clock.now()];
  const content = { notification: { title: `Message for ${name}` } };
  await prisma.pushMessage.create({
    data: {
      appId,
      id: messageId,
      target: { uids: [user.uid] },
      content,
      status: 'done',
      targetCount: 1,
      createdAt,
    },
  });
  await prisma.pushReceipt.create({
    data: {
      ...{ appId, messageId, deviceId: user.deviceId, provider: 'fcm', status: 'accepted', attempts: 1 },
      updatedAt: createdAt,
    },
  });
  await prisma.webhookDelivery.create({
    data: {
      ...{
        appId,
        id: `delivery-${name}`,
        endpointId: 'endpoint',
        eventId: 'event',
        eventType: 'user.updated',
      },
      ...{ trigger: 'event', status: 'succeeded', responseBody: `received ${user.email}`, createdAt },
    },
  });
}

/** Tables with rows about a user of which the export has nothing, and why. */
const tablesLeftOut: Record<string, string> = {
  user_notes: 'the team writes them for itself, and the API says that the user never sees them',
  record_index: 'repeats values of records',
  user_exports: 'describes the export itself',
  push_messages: 'stored by message, whose other recipients it names',
  webhook_deliveries: 'stored by event, with what a receiver answered',
  idempotency_keys: 'encrypted answers of a day',
};

/** Columns of which the export has nothing, and why. */
const columnsLeftOut: Record<string, string> = {
  'users.password_hash': 'a secret',
  'users.credential_version': 'counts changes of credentials',
  'users.ledger_size': 'the number of the entries',
  'sessions.secret_hash': 'a secret',
  'sessions.key_id': 'names an encryption key',
  'sessions.generation': 'counts refreshes',
  'sessions.spends': 'times of refreshes within the reuse window',
  'sessions.flow_hash': 'a secret',
  'codes.id': 'an id without meaning outside',
  'codes.code_hash': 'a secret',
  'codes.flow_hash': 'a secret',
  'codes.key_id': 'names an encryption key',
  'identities.refresh_token': 'a secret',
  'passkeys.credential_id': 'in base64url',
  'passkeys.public_key': 'in base64url',
  'second_factors.secret': 'a secret',
  'second_factors.recovery_hashes': 'a secret',
  'second_factors.pending_secret': 'a secret',
  'second_factors.last_step': 'a step of the authenticator app',
  'push_devices.token': 'a secret',
  'push_devices.token_hash': 'a secret',
  'files.sha256': 'in hexadecimal',
  'records.collection_id': 'the name of the collection is there',
  'records.bytes': 'the size of the record',
  'audit_log.actor': 'the user, the team or the backend',
  'audit_log.target': 'names the user, or what the details name',
};

/** Every value of the row that a reader of the export could look for. */
function valuesIn(value: unknown): string[] {
  if (value === null || typeof value === 'boolean') return [];
  if (typeof value === 'object') return Object.values(value).flatMap(valuesIn);
  if (typeof value !== 'string') return [JSON.stringify(value)];
  const [, second, fraction = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?\+00:00$/.exec(value) ?? [];
  return [second ? `${second}.${fraction.padEnd(6, '0')}Z` : JSON.stringify(value).slice(1, -1)];
}

async function rowsAbout(table: string, { uid, email }: TestUser): Promise<Record<string, unknown>[]> {
  const rows = await service.database.prisma.$queryRawUnsafe<{ row: Record<string, unknown> }[]>(
    `SELECT to_jsonb(t) AS row FROM ${table} AS t WHERE t::text LIKE '%${uid}%' OR t::text LIKE '%${email}%'`,
  );
  return rows.map(({ row }) => row);
}

test('has each value that any table stores about the user, without secrets, and nothing of another user', async () => {
  const ada = await fullUser('ada-lovelace');
  const bob = await fullUser('bob-babbage');
  await request(ada);
  const before = new Map<string, Record<string, unknown>[]>();
  for (const table of appTables) before.set(table, await rowsAbout(table, ada));
  await runJobs();
  const { file_id } = (await read(ada)).data;
  const text = await textOf(file_id as string);
  const missing: string[] = [];
  const found = new Set<string>();
  for (const [table, rows] of before) {
    if (rows.length > 0) found.add(table);
    if (table in tablesLeftOut) continue;
    for (const row of rows) {
      for (const [column, value] of Object.entries(row)) {
        if (column === 'app_id' || `${table}.${column}` in columnsLeftOut) continue;
        for (const one of valuesIn(value))
          if (!text.includes(one)) missing.push(`${table}.${column}: ${one}`);
      }
    }
  }
  expect(missing).toEqual([]);
  expect([...found]).toEqual(
    expect.arrayContaining(
      'users sessions codes identities passkeys second_factors loyalty_entries records files push_devices events audit_log user_notes push_messages webhook_deliveries'.split(
        ' ',
      ),
    ),
  );
  for (const other of [bob.uid, bob.email, 'bob-babbage']) expect(text).not.toContain(other);
  for (const secret of [
    'argon2',
    'token-of-ada',
    'token of the provider',
    'Note on ada',
    'Message for ada',
    service.app.secretKey,
  ]) {
    expect(text).not.toContain(secret);
  }
  const parsed = JSON.parse(text);
  expect(parsed).toMatchObject({
    profile: { uid: ada.uid, email: ada.email, points: 480, has_password: true },
    records: { diaries: [{ id: 'ada-lovelace', fields: { text: 'Diary of ada-lovelace', big: 1e300 } }] },
    push_topics: [{ topic: 'topic-ada-lovelace' }],
    second_factors: [{ recovery_codes_left: 10 }],
  });
  expect(parsed.loyalty_entries).toHaveLength(2);
});

test('rows of many pages are all there', async () => {
  const user = await service.signUp();
  const { prisma } = service.database;
  const appId = service.app.app.id;
  await prisma.$executeRaw`INSERT INTO loyalty_entries (app_id, user_id, id, position, points, description, created_at)
    SELECT ${appId}, ${user.uid}, 'E' || n, n, 1, 'Dinner', now() FROM generate_series(1, 1200) AS n`;
  const { data } = await service.call<{ id: string }>('POST', '/admin/collections', {
    ...backend(),
    body: { name: 'many', access_mode: 'owner' },
  });
  await prisma.$executeRaw`INSERT INTO records (app_id, collection_id, id, fields, bytes, owner_uid, created_at, updated_at)
    SELECT ${appId}, c.id, 'r' || n, '{"a":1}', 7, ${user.uid}, now(), now() FROM generate_series(1, 50) AS n, collections AS c
    WHERE c.app_id = ${appId} AND c.name = 'many'`;
  expect(data).toBeDefined();
  await request(user);
  await runJobs();
  const { file_id, size } = (await read(user)).data;
  const text = await textOf(file_id as string);
  const { loyalty_entries, records } = JSON.parse(text);
  expect([loyalty_entries.length, records.many.length, Buffer.byteLength(text)]).toEqual([1_200, 50, size]);
});

test('is pending until it is written, then a private file of the user, who is told by mail', async () => {
  const user = await service.signUp();
  expect((await read(user)).data).toEqual(none);
  const requested = await request(user);
  expect([requested.status, requested.data.status, requested.data.file_id]).toEqual([202, 'pending', null]);
  expect((await read(user)).data).toEqual(requested.data);
  await runJobs();
  const { data } = await read(user);
  expect(data).toMatchObject({ status: 'ready', requested_at: requested.data.requested_at });
  const file = await service.call('GET', `/files/${data.file_id}`, as(user));
  expect(file.data).toMatchObject({
    ...{ name: 'export-2026-03-01.json', content_type: 'application/json', visibility: 'private' },
    ...{ owner_uid: user.uid, size: data.size, public_url: null },
  });
  expectRefusal(
    await service.call('GET', `/files/${data.file_id}`, as(await service.signUp())),
    'files/not-found',
  );
  const hash = createHash('sha256').update(await textOf(data.file_id as string));
  expect(file.data).toHaveProperty('sha256', hash.digest('hex'));
  const [mail] = await service.mailbox(user.email);
  expect(mail?.subject).toBe('The data of your Test account is ready');
  expect(mail?.text).not.toContain(data.file_id);
});

test('a repeated request returns the one that is being written, and after that waits for a day', async () => {
  let user = await service.signUp();
  const first = await request(user);
  expect((await request(user)).data).toEqual(first.data);
  await runJobs();
  const ready = (await read(user)).data;
  const refused = await request(user);
  expectRefusal(refused, 'request/rate-limited');
  expect(Number(refused.headers.get('retry-after'))).toBe(day / 1_000);
  service.clock.advance(day - 1_000);
  user = await signInAgain(user);
  expectRefusal(await request(user), 'request/rate-limited');
  service.clock.advance(1_000);
  expect(await isStored(ready.file_id as string)).toBe(true);
  expect((await request(user)).data.status).toBe('pending');
  await runJobs();
  expect((await read(user)).data.file_id).not.toBe(ready.file_id);
  expectRefusal(await service.call('GET', `/files/${ready.file_id}`, as(user)), 'files/not-found');
  expect(await isStored(ready.file_id as string)).toBe(false);
});

test('a request that is repeated while the file is written is one entry of the audit log', async () => {
  const user = await service.signUp();
  for (let count = 0; count < 3; count += 1) expect((await request(user)).status).toBe(202);
  const entries = await service.auditEntries({ action: 'user.export_requested', uid: user.uid });
  expect(entries).toHaveLength(1);
});

test('deleting the file does not shorten the pause', async () => {
  const user = await service.signUp();
  await request(user);
  await runJobs();
  const { file_id } = (await read(user)).data;
  await done('DELETE', `/files/${file_id}`, as(user));
  expect((await read(user)).data).toEqual(none);
  expectRefusal(await request(user), 'request/rate-limited');
});

test('the user needs a recent sign-in', async () => {
  const user = await service.signUp();
  service.clock.advance(6 * minute);
  expectRefusal(await request(user), 'auth/requires-recent-login');
  expect((await request(await signInAgain(user))).status).toBe(202);
});

test('a request whose session ends between the guard and the change is refused', async () => {
  const user = await service.signUp();
  const { deps, app } = service;
  const current = await deps.apps.fresh(app.app.id);
  const session = await findSessionOfToken(deps, current, user.tokens.access_token);
  expect((await service.call('POST', '/auth/sign-out', as(user))).status).toBe(204);
  await expect(requestExport(deps, callIn(current, { uid: user.uid, session }), user.uid)).rejects.toThrow(
    expect.objectContaining({ code: 'auth/invalid-token' }),
  );
  expect(await service.database.prisma.userExport.count({ where: { uid: user.uid } })).toBe(0);
});

test('the file is deleted after seven days', async () => {
  const user = await service.signUp();
  await request(user);
  await runJobs();
  const { file_id, expires_at } = (await read(user)).data;
  expect(Date.parse(expires_at as string)).toBe(service.clock.now().getTime() + 7 * day);
  await service.advance(7 * day - hour);
  const again = await signInAgain(user);
  expect((await read(again)).data.status).toBe('ready');
  await service.advance(hour);
  expect((await read(await signInAgain(user))).data).toEqual(none);
  expectRefusal(await service.call('GET', `/files/${file_id}`, backend()), 'files/not-found');
  await runJobs();
  expect(await isStored(file_id as string)).toBe(false);
  expect(await service.database.prisma.userExport.count({ where: { uid: user.uid } })).toBe(0);
});

test('a request is refused if the account is deleted meanwhile', async () => {
  const user = await service.signUp();
  const answer = await lateAnswer(
    service,
    (late) => late.call('POST', '/me/export', as(user)),
    () => done('DELETE', '/me', as(user)),
  );
  expectRefusal(answer, 'auth/invalid-token');
});

describe('the backend', () => {
  test('has an entry in the audit log for each request, also while the file is written', async () => {
    const { uid } = await service.signUp();
    for (const _ of ['first', 'second']) expect((await requestOf(uid)).status).toBe(202);
    expect(await service.auditEntries({ action: 'user.export_requested', uid })).toHaveLength(2);
  });

  test('requests it at any time, with an audit entry, and reads the file', async () => {
    const user = await service.signUp();
    for (const _ of ['first', 'second']) {
      expect((await requestOf(user.uid)).status).toBe(202);
      await runJobs();
    }
    const { data } = await readOf(user.uid);
    expect(JSON.parse(await textOf(data.file_id as string)).profile.uid).toBe(user.uid);
    const entries = await service.auditEntries({ action: 'user.export_requested', uid: user.uid });
    expect(entries.map(({ actor }) => actor.split(':')[0])).toEqual(['secret_key', 'secret_key']);
    expect(await service.mailbox(user.email)).toHaveLength(2);
  });

  test('is refused for a user who does not exist', async () => {
    const nobody = '01JC4Q7M0RZ9X2V5T8W3Y6K1NB';
    expectRefusal(await requestOf(nobody), 'auth/user-not-found');
    expectRefusal(await readOf(nobody), 'auth/user-not-found');
  });

  test('gets the export of a disabled user, to whom no mail is sent', async () => {
    const user = await service.signUp();
    await done('PATCH', `/admin/users/${user.uid}`, { ...backend(), body: { disabled: true } });
    await requestOf(user.uid);
    await runJobs();
    expect((await readOf(user.uid)).data.status).toBe('ready');
    expect(await service.mailbox(user.email)).toEqual([]);
  });
});

test('a secret key reads the file with the scopes of all that is in it, and other files of the user with files:read', async () => {
  const user = await service.signUp();
  const form = new FormData();
  form.set('file', new Blob(['own']), 'own.txt');
  const own = await done('POST', '/files', { ...as(user), form });
  await request(user);
  await runJobs();
  const { file_id } = (await read(user)).data;
  const urlOf = (id: unknown, token: string) => service.call('GET', `/files/${id}/url`, { token });
  const scopes = ['files:read', 'users:read', 'data:read', 'push:read', 'loyalty:read', 'audit:read'];
  const keyWith = (without: string) =>
    secretKeyWith(
      service,
      scopes.filter((scope) => scope !== without),
    );
  for (const missing of scopes.slice(1)) {
    const refused = await urlOf(file_id, await keyWith(missing));
    expectRefusal(refused, 'admin/insufficient-scope', { id: [`requires the scope ${missing}`] });
  }
  expect((await urlOf(file_id, await keyWith('none'))).status).toBe(200);
  expect((await urlOf(own.id, await secretKeyWith(service, ['files:read']))).status).toBe(200);
  expect((await urlOf(file_id, user.tokens.access_token)).status).toBe(200);
});

test('the file does not count against the quota of the user', async () => {
  const user = await service.signUp();
  await request(user);
  await runJobs();
  await service.changeSettings({ files: { user_quota_bytes: 5_000 } });
  const form = new FormData();
  form.set('file', new Blob(['own']), 'own.txt');
  const { status } = await service.call('POST', '/files', { ...as(user), form });
  await service.changeSettings({ files: { user_quota_bytes: 500 * 1_024 * 1_024 } });
  expect(status).toBe(201);
});

test('of an account that is deleted before the file is written, nothing is left', async () => {
  const user = await service.signUp();
  await request(user);
  await done('DELETE', '/me', as(user));
  await runJobs();
  const { prisma } = service.database;
  expect(await prisma.userExport.count({ where: { uid: user.uid } })).toBe(0);
  expect(await prisma.file.count({ where: { ownerId: user.uid } })).toBe(0);
});

test('of an account that is deleted while the file is written, nothing is left', async () => {
  const user = await service.signUp();
  await request(user);
  const { fileStore } = service.deps;
  const write = fileStore.write.bind(fileStore);
  let written = '';
  fileStore.write = async (key, bytes) => {
    await write(key, bytes);
    written = key.fileId;
    await done('DELETE', '/me', as(user));
  };
  await runJobs();
  fileStore.write = write;
  expect(written).not.toBe('');
  expect(await service.database.prisma.file.count({ where: { id: written } })).toBe(0);
  expect(await isStored(written)).toBe(false);
});

test('an attempt that another one has overtaken leaves nothing', async () => {
  const user = await service.signUp();
  await request(user);
  const { fileStore } = service.deps;
  const write = fileStore.write.bind(fileStore);
  let written = '';
  fileStore.write = async (key, bytes) => {
    await write(key, bytes);
    written = key.fileId;
    const data = { fileId: service.deps.random.ulid(service.clock.now()) };
    await service.database.prisma.userExport.updateMany({ where: { uid: user.uid }, data });
  };
  await runJobs();
  fileStore.write = write;
  expect(written).not.toBe('');
  expect(await service.database.prisma.file.count({ where: { ownerId: user.uid } })).toBe(0);
  expect(await isStored(written)).toBe(false);
  expect(await service.mailbox(user.email)).toEqual([]);
});

test('one that is larger than a file may be is not stored', async () => {
  const user = await service.signUp();
  await request(user);
  const { fileBytes } = limits as { fileBytes: { max: number } };
  const { max } = fileBytes;
  fileBytes.max = 100;
  onTestFinished(() => {
    fileBytes.max = max;
  });
  await runJobs();
  expect((await read(user)).data.status).toBe('pending');
  expect(await service.database.prisma.file.count({ where: { ownerId: user.uid } })).toBe(0);
});

test('an attempt that fails is repeated, and completes once', async () => {
  const user = await service.signUp();
  await request(user);
  const { fileStore } = service.deps;
  const write = fileStore.write.bind(fileStore);
  fileStore.write = async () => {
    throw new Error('the store is away');
  };
  await runJobs();
  expect((await read(user)).data.status).toBe('pending');
  fileStore.write = write;
  await service.advance(minute);
  expect((await read(user)).data.status).toBe('ready');
  await runJobs();
  expect(await service.database.prisma.file.count({ where: { ownerId: user.uid } })).toBe(1);
  expect(await service.mailbox(user.email)).toHaveLength(1);
});

test('the bytes of an attempt that ends before the export is complete are removed an hour later', async () => {
  const user = await service.signUp();
  await request(user);
  const { fileStore } = service.deps;
  const write = fileStore.write.bind(fileStore);
  let lost = '';
  fileStore.write = async (key, bytes) => {
    await write(key, bytes);
    lost = key.fileId;
    throw new Error('the process dies');
  };
  await runJobs();
  fileStore.write = write;
  await service.advance(minute);
  const { file_id } = (await read(user)).data;
  expect([await isStored(lost), await isStored(file_id as string)]).toEqual([true, true]);
  await service.advance(hour);
  await runJobs();
  expect([await isStored(lost), await isStored(file_id as string)]).toEqual([false, true]);
});

test('after the last attempt has failed the user can request another one at once', async () => {
  let user = await service.signUp();
  await request(user);
  const { fileStore } = service.deps;
  const write = fileStore.write.bind(fileStore);
  let attempts = 0;
  fileStore.write = async () => {
    attempts += 1;
    throw new Error('the store is away');
  };
  for (let round = 0; round < 13; round += 1) {
    expect((await read(user)).data.status).toBe('pending');
    await runJobs();
    await passQueueTime(service.database, day);
  }
  fileStore.write = write;
  expect(attempts).toBe(13);
  expect((await read(user)).data).toEqual(none);
  user = await signInAgain(user);
  expect((await request(user)).data.status).toBe('pending');
  await runJobs();
  expect((await read(user)).data.status).toBe('ready');
});

test('one that replaced another one is not deleted with it', async () => {
  let user = await service.signUp();
  await request(user);
  await runJobs();
  await service.advance(3 * day);
  user = await signInAgain(user);
  await request(user);
  await runJobs();
  const { file_id } = (await read(user)).data;
  await service.advance(5 * day);
  user = await signInAgain(user);
  expect((await read(user)).data).toMatchObject({ status: 'ready', file_id });
});

test('without a mail server the state says when the file is ready', async () => {
  const silent = await service.secondInstance({ config: { devMailbox: false } });
  const user = await service.signUp();
  await silent.call('POST', '/me/export', as(user));
  await silent.deps.queue.runNow();
  expect((await read(user)).data.status).toBe('ready');
  await silent.stop();
});

test('slow exports of one app do not delay those of another', async () => {
  const store = heldStore();
  const own = await testService({ overrides: { fileStore: store } });
  const other = await own.newApp();
  store.hold(own.app.app.id);
  for (let count = 0; count < 4; count += 1) await own.call('POST', '/me/export', as(await own.signUp()));
  const user = await own.signUp({ appKey: other.app.appKey });
  const ofOther = { ...as(user), appKey: other.app.appKey };
  await own.call('POST', '/me/export', ofOther);
  const running = own.deps.queue.runNow();
  const status = async () => (await own.call<UserExport>('GET', '/me/export', ofOther)).data.status;
  await expect.poll(status, { timeout: 10_000 }).toBe('ready');
  store.release();
  await running;
  await own.stop();
});

/** Keeps no bytes; writes of one app end when they are released. */
function heldStore(): FileStore & { hold(appId: string): void; release(): void } {
  let heldApp = '';
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    heldBytes: 0,
    hold(appId) {
      heldApp = appId;
    },
    release: () => release(),
    async write({ appId }, pieces) {
      for await (const _ of pieces);
      if (appId === heldApp) await released;
    },
    open: async () => null,
    remove: async () => {},
  };
}
