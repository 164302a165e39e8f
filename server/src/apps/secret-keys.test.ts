// Secret keys from creation to revocation, over HTTP.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cheapPasswordHasher, type TestService, testService } from '../../test/harness.js';
import { expectRefusal } from '../../test/refusal.js';
import { sha256 } from '../lib/crypto/digest.js';
import { createSecretKey, type KeyDraft, listSecretKeys, revokeSecretKey } from './secret-keys.js';

let service: TestService;
beforeAll(async () => {
  service = await testService({ overrides: { passwordHasher: await cheapPasswordHasher() } });
});
afterAll(() => service.stop());

const actor = { name: 'command_line', ipAddress: null };
const appId = () => service.app.app.id;
const read = (token: string, from = service) => from.call('GET', '/admin/settings', { token });

function make(draft: Partial<KeyDraft> = {}) {
  const whole: KeyDraft = { name: 'Backend', scopes: ['settings:manage'], expiresAt: null, ...draft };
  return createSecretKey(service.deps, appId(), whole, actor);
}

test('a key is stored only as a hash, grants its scopes, and is recorded in the audit log', async () => {
  const { key, secretKey } = await make();
  expect(secretKey).toMatch(/^sk_[\w-]{43}$/);
  expect((await read(secretKey)).status).toBe(200);
  const { prisma } = service.database;
  const row = await prisma.secretKey.findFirstOrThrow({ where: { id: key.id } });
  expect(Buffer.from(row.keyHash)).toEqual(sha256(secretKey));
  expect(JSON.stringify(row)).not.toContain(secretKey);
  const entries = await prisma.auditLog.findMany({ where: { target: `secret_key:${key.id}` } });
  expect(entries).toMatchObject([
    {
      actor: 'command_line',
      action: 'secret_key.created',
      details: { scopes: ['settings:manage'], expires_at: null },
    },
  ]);
  expect(JSON.stringify(entries)).not.toContain(secretKey.slice(3));
});

test('a revoked key is refused at once on every instance, permanently', async () => {
  const second = await service.secondInstance();
  const { key, secretKey } = await make();
  for (const each of [service, second]) expect((await read(secretKey, each)).status).toBe(200);
  expect(await revokeSecretKey(service.deps, appId(), key.id, actor)).toBe('revoked');
  for (const each of [second, service]) {
    expectRefusal(await read(secretKey, each), 'admin/invalid-secret-key');
  }
  const revokedAt = service.clock.now();
  service.clock.advance(1_000);
  expect(await revokeSecretKey(service.deps, appId(), key.id, actor)).toBe('was revoked');
  const listed = (await listSecretKeys(service.deps, appId())).find(({ id }) => id === key.id);
  expect(listed).toMatchObject({ name: 'Backend', lastFour: secretKey.slice(-4), revokedAt });
  const where = { target: `secret_key:${key.id}`, action: 'secret_key.revoked' };
  expect(await service.database.prisma.auditLog.count({ where })).toBe(1);
  await second.stop();
});

test('exactly one of fifty concurrent revocations is the first', async () => {
  const { key } = await make();
  const done = await Promise.all(
    Array.from({ length: 50 }, () => revokeSecretKey(service.deps, appId(), key.id, actor)),
  );
  expect(done.filter((one) => one === 'revoked')).toHaveLength(1);
});

test("another app's key is neither listed nor revoked", async () => {
  const { key, secretKey } = await make();
  const other = await service.newApp();
  expect(await revokeSecretKey(service.deps, other.app.id, key.id, actor)).toBe('unknown');
  expect(await revokeSecretKey(service.deps, appId(), 'nothing', actor)).toBe('unknown');
  expect((await read(secretKey)).status).toBe(200);
  const ids = (await listSecretKeys(service.deps, other.app.id)).map(({ id }) => id);
  expect(ids).not.toContain(key.id);
  expect(ids).toHaveLength(1);
});

test('a new app has one key, and the audit log records its creation', async () => {
  const { app, secretKey } = await service.newApp();
  const [key] = await listSecretKeys(service.deps, app.id);
  expect(key).toMatchObject({ name: 'first key', lastFour: secretKey.slice(-4), expiresAt: null });
  const entries = await service.database.prisma.auditLog.findMany({ where: { appId: app.id } });
  expect(entries).toMatchObject([
    {
      actor: 'command_line',
      action: 'app.created',
      target: `app:${app.id}`,
      details: { secret_key: key?.id },
    },
  ]);
});
