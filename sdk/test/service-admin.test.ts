// The admin client against the real service: its calls, and token verification during key rotation.
import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { issuerOf } from '../../server/src/model/app.js';
import { rotateSigningKeys } from '../../server/src/tokens/rotate-signing-keys.js';
import { claimsOf, testService } from '../../server/test/harness.js';
import { shared } from '../../server/test/shared.js';
import { thorough } from '../../server/test/thorough.js';
import { type AdminOptions, createAdmin } from '../src/admin/index.js';
import type { SdkEvent } from '../src/events.js';
import { codeOf, movingClock } from './harness.js';

const password = 'correct horse battery staple';

const service = shared(() => testService());

function newAdmin(given: Partial<AdminOptions> = {}) {
  const { app, secretKey } = service.app;
  const events: SdkEvent[] = [];
  const admin = createAdmin({
    baseUrl: `${service.url}/api/v2`,
    appKey: app.appKey,
    appId: app.id,
    secretKey,
    issuer: issuerOf(service.deps.config.baseUrl, app.id),
    now: () => service.clock.now(),
    onEvent: (event) => events.push(event),
    ...given,
  });
  const keySetReads = () =>
    events.filter((event) => event.type === 'request' && event.path.endsWith('jwks.json')).length;
  return Object.assign(admin, { keySetReads });
}

const newEmail = () => `${randomUUID()}@example.com`;
const kidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid;

test('a user created twice with one key is created once, and signs in', async () => {
  const admin = newAdmin();
  const email = newEmail();
  const idempotencyKey = randomUUID();
  const [first, second] = [
    await admin.users.create({ email, password, claims: { role: 'editor' } }, { idempotencyKey }),
    await admin.users.create({ email, password, claims: { role: 'editor' } }, { idempotencyKey }),
  ];
  expect(second).toEqual(first);
  const { data } = await service.signIn({ email, password });
  const verified = await admin.verifyAccessToken(data.access_token);
  expect(verified).toMatchObject({ uid: first.uid, email, emailVerified: false, claims: { role: 'editor' } });
  expect(verified.amr).toEqual(['pwd']);
  expect(verified.expiresAt.getTime() - verified.issuedAt.getTime()).toBe(3_600_000);
});

test('points, config, settings, collections, webhooks, events and the audit log work', async () => {
  const admin = newAdmin();
  const { uid } = await admin.users.create({ email: newEmail() });
  const added = await admin.loyalty.add(uid, { points: 250, description: 'Order', reference: 'order-1' });
  expect(added.loyalty.points).toBe(250);
  expect((await admin.loyalty.entries(uid)).items).toEqual([added.entry]);

  const { etag, parameters, version } = await admin.config.get();
  const banner = { type: 'json' as const, value: ['x'] };
  const written = await admin.config.replace({ ...parameters, banner }, { ifMatch: etag });
  expect(written.version).toBe(version + 1);
  expect(await codeOf(admin.config.replace(parameters, { ifMatch: etag }))).toBe('config/version-conflict');
  const back = await admin.config.rollback(version, { ifMatch: written.etag });
  expect(back).toMatchObject({ version: version + 2, parameters });
  expect((await admin.config.versions({ limit: 1 })).items[0]).toMatchObject({ rolled_back_to: version });
  expect((await admin.config.version(version + 1)).parameters.banner).toMatchObject(banner);

  const before = await admin.settings.get();
  expect(await admin.settings.update({ mail: { from_name: 'Example' } })).toEqual({
    ...before,
    mail: { ...before.mail, from_name: 'Example' },
  });

  const notes = await admin.collections.create({ name: 'notes', access_mode: 'owner' });
  expect(await admin.collections.update('notes', { indexed_fields: ['title'] })).toMatchObject({
    access_mode: 'owner',
    indexed_fields: ['title'],
  });
  expect((await admin.collections.list()).items.map(({ name }) => name)).toContain(notes.name);
  const records = admin.collection<{ title: string; done?: boolean }>('notes');
  const { id } = await records.create({ title: 'Groceries' });
  await records.update(id, (fields) => ({ ...fields, done: true }));
  expect(await records.get(id)).toMatchObject({
    owner_uid: null,
    fields: { title: 'Groceries', done: true },
  });
  expect((await records.query().where('title', '==', 'Groceries')).items).toHaveLength(1);
  await records.delete(id);
  expect(await records.get(id)).toBeNull();
  await admin.collections.delete('notes', { records: 'delete' });
  expect(await codeOf(admin.collections.get('notes'))).toBe('data/collection-not-found');

  const webhook = await admin.webhooks.create({ url: 'https://backend.example.com/foyer' });
  expect(webhook.secret).toMatch(/^whsec_/);
  expect((await admin.webhooks.rotateSecret(webhook.id)).secret).not.toBe(webhook.secret);
  expect(await admin.webhooks.update(webhook.id, { enabled: false })).toMatchObject({
    disabled_reason: 'admin',
  });
  await admin.webhooks.delete(webhook.id);
  expect((await admin.webhooks.list()).items).toEqual([]);

  const [event] = await admin.events.list({ uid, type: 'loyalty.points_changed' }).toArray({ limit: 5 });
  expect(event?.data.user.uid).toBe(uid);
  const actions = new Set<string>();
  for await (const entry of admin.auditLog.list({ limit: 5 })) actions.add(entry.action);
  expect([...actions]).toEqual(
    expect.arrayContaining(['user.created', 'webhook.deleted', 'config.rolled_back']),
  );
  expect(await admin.migration.get()).toMatchObject({ v1_live_tokens: 0 });
});

test('users are found, changed, disabled and deleted; files and push work', async () => {
  const admin = newAdmin();
  const name = randomUUID();
  const made = await admin.users.import([
    { email: `${name}-1@example.com` },
    { email: `${name}-2@example.com`, claims: { role: 'editor' } },
    { email: 'no email' },
  ]);
  expect(made).toMatchObject({ created: 2, failed: [{ index: 2 }] });
  const found = await admin.users
    .list({ q: name, order: 'email', limit: 1, disabled: false })
    .toArray({ limit: 9 });
  expect(found.map(({ email }) => email)).toEqual([`${name}-1@example.com`, `${name}-2@example.com`]);
  const uid = found[1]!.uid;
  expect((await admin.users.setClaims(uid, {})).claims).toEqual({});
  const { email } = await admin.users.update(uid, { password, first_name: 'Ada' });
  const { data } = await service.signIn({ email, password });
  const [session] = (await admin.users.sessions(uid)).items;
  await admin.users.endSession(uid, session!.id);
  expect(await codeOf(admin.users.endSession(uid, session!.id))).toBe('auth/session-not-found');
  await admin.users.revokeSessions(uid);
  expect((await service.refresh(data.refresh_token)).code).toBe('auth/refresh-token-revoked');
  expect([(await admin.users.identities(uid)).items, (await admin.users.devices(uid)).items]).toEqual([
    [],
    [],
  ]);
  await admin.users.delete(uid);
  expect(await codeOf(admin.users.get(uid))).toBe('auth/user-not-found');

  const file = await admin.files.upload(new Blob(['hello']), { name: 'a.txt', visibility: 'public' });
  expect(file).toMatchObject({ name: 'a.txt', size: 5, owner_uid: null });
  expect((await admin.files.list({ visibility: 'public' })).items).toEqual([file]);
  expect(await admin.files.get(file.id)).toEqual(file);
  expect((await admin.files.url(file.id, { download: true })).public_url).toBe(file.public_url);
  await admin.files.delete(file.id);
  expect((await admin.files.list()).items).toEqual([]);

  const message = { all: true as const, data: { order: '1' }, dry_run: true };
  expect(await admin.push.send(message)).toEqual({ id: null, status: 'dry_run', target_count: 0 });
  expect((await admin.push.messages()).items).toEqual([]);
});

test('the secret key and tokens of one app are invalid for another', async () => {
  const other = await service.newApp();
  const stranger = newAdmin({ appKey: other.app.appKey });
  expect(await codeOf(stranger.events.list())).toBe('admin/invalid-secret-key');
  const { tokens } = await service.signUp({ appKey: other.app.appKey });
  expect(await codeOf(newAdmin().verifyAccessToken(tokens.access_token))).toBe('auth/invalid-token');
  expect(await newAdmin().tokens.verify(tokens.access_token)).toEqual({
    active: false,
    reason: 'auth/invalid-token',
  });
});

describe('access tokens', () => {
  test('expire after their lifetime and 30 seconds; only tokens.verify detects a revoked session', async () => {
    const admin = newAdmin();
    const { tokens } = await service.signUp();
    expect(await admin.tokens.verify(tokens.access_token)).toMatchObject({ active: true });
    await service.call('POST', '/auth/sign-out', { token: tokens.access_token });
    expect(await admin.tokens.verify(tokens.access_token)).toMatchObject({ active: false });
    expect(await admin.tokens.verify(tokens.access_token, { checkRevoked: false })).toMatchObject({
      active: true,
    });
    const { exp } = claimsOf(tokens.access_token);
    await service.advance(exp * 1_000 - service.clock.now().getTime() + 29_999);
    expect(await codeOf(admin.verifyAccessToken(tokens.access_token))).toBe('resolved');
    await service.advance(1);
    expect(await codeOf(admin.verifyAccessToken(tokens.access_token))).toBe('auth/token-expired');
  });

  // RSA keys take long to create: `signing-keys.test.ts` rotates them without load.
  test.each(thorough ? (['ES256', 'RS256'] as const) : (['ES256'] as const))(
    'of %s: keys are rotated twice under load, and no valid token is rejected by SDK or service',
    async (algorithm) => {
      await newAdmin().settings.update({ token_algorithm: algorithm });
      const admin = newAdmin();
      const kids = new Set<string>();
      let verified = 0;
      let stopped = false;
      const refusals: unknown[] = [];

      async function load() {
        let { tokens } = await service.signUp();
        for (let round = 1; !stopped; round += 1) {
          // The clock is stopped, and a session refreshes at most 64 times in half a minute.
          if (round % 50 === 0) ({ tokens } = await service.signUp());
          const token = tokens.access_token;
          kids.add(kidOf(token));
          const [here, there] = await Promise.all([
            codeOf(admin.verifyAccessToken(token)),
            service.call('GET', '/me', { token }),
          ]);
          if (here !== 'resolved' || there.status !== 200) refusals.push([here, there.status]);
          verified += 1;
          const next = await service.refresh(tokens.refresh_token);
          if (next.status === 200) tokens = next.data;
          else refusals.push(next.text);
        }
      }

      const running = Promise.all(Array.from({ length: 8 }, load));
      const some = async () => {
        const from = verified;
        await expect.poll(() => verified - from, { timeout: 60_000 }).toBeGreaterThan(40);
      };
      await some();
      for (const _ of [1, 2]) {
        await rotateSigningKeys(service.deps, algorithm);
        await some();
        // The service reads its keys every five seconds.
        await service.advance(5_000);
        await some();
      }
      stopped = true;
      await running;
      expect(refusals).toEqual([]);
      expect(kids.size).toBeGreaterThanOrEqual(3);
      expect(admin.keySetReads()).toBeLessThanOrEqual(3);
      await newAdmin().settings.update({ token_algorithm: 'ES256' });
    },
  );

  test('of a revoked key are rejected in five minutes also when the key set was read right after', async () => {
    const { tokens } = await service.signUp();
    await rotateSigningKeys(service.deps, 'ES256', { revokeRetired: true });
    const admin = newAdmin();
    service.clock.advance(999);
    expect(await codeOf(admin.verifyAccessToken(tokens.access_token))).toBe('resolved');
    service.clock.advance(1);
    // A key that is missing is asked for again after a second.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const verified = (own: typeof admin) =>
      movingClock(codeOf(own.verifyAccessToken(tokens.access_token)), 10);
    expect(await verified(newAdmin())).toBe('auth/invalid-token');
    service.clock.advance(300_000 - 1_000);
    expect(await verified(admin)).toBe('auth/invalid-token');
  });
});
