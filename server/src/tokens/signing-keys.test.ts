// Signing keys: rotation without downtime, several instances, and changed ENCRYPTION_KEYS.
import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { keyRing } from '../../engines/keys/key-ring.js';
import {
  manualClock,
  statementLog,
  type TestService,
  testEncryptionKey,
  testService,
} from '../../test/harness.js';
import { rsaKeyPair } from '../../test/key-pairs.js';
import { invalid, sessionScenario } from '../../test/session-scenario.js';
import { shared } from '../../test/shared.js';
import { createApp } from '../apps/create-app.js';
import { purge } from '../retention.js';
import { ensureSigningKeys, reencryptSigningKeys, rotateSigningKeys } from './rotate-signing-keys.js';

const longestLife = 86_400_000;
const clockDifference = 300_000;
const rereadMilliseconds = 5_000;

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));

const { me } = sessionScenario(() => service);
const kidOf = (jwt: string): string =>
  JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString()).kid;
const rotate = (options = {}) => rotateSigningKeys(service.deps, 'ES256', options);

const rowOfKey = (kid: string) => service.database.prisma.signingKey.findUnique({ where: { kid } });

async function publishedBy(instance: TestService): Promise<string[]> {
  const answer = await instance.call('GET', '/.well-known/jwks.json', { appKey: null });
  return answer.json.keys.map((key: { kid: string }) => key.kid);
}

async function signUp(instance = service): Promise<string> {
  return (await instance.signUp()).tokens.access_token;
}

describe('rotation', () => {
  test('publishes the next key long before it signs', async () => {
    const before = await publishedBy(service);
    const keys = await rotate();
    expect(before).toContain(keys.current);
    expect(before).toContain(keys.retired);
    expect(before).not.toContain(keys.next);
    await service.advance(rereadMilliseconds);
    expect(await publishedBy(service)).toEqual(
      expect.arrayContaining([keys.retired, keys.current, keys.next]),
    );
    expect(kidOf(await signUp())).toBe(keys.current);
  });

  test('invalidates no token: before, during and after it every token is accepted', async () => {
    const tokens = [await signUp()];
    const keys = await rotate();
    // The retired key still signs here until the keys are reloaded.
    tokens.push(await signUp());
    expect(kidOf(tokens[1] as string)).toBe(keys.retired);
    for (const token of tokens) expect((await me(token)).status).toBe(200);
    await service.advance(rereadMilliseconds);
    tokens.push(await signUp());
    for (const token of tokens) expect((await me(token)).status).toBe(200);
    expect(tokens.map(kidOf)).toEqual([keys.retired, keys.retired, keys.current]);
  });

  test('verifies with a retired key for the maximum token lifetime plus five minutes, and not longer', async () => {
    await service.database.prisma.app.updateMany({ data: { accessTokenSeconds: 86_400 } });
    service.deps.apps.forget();
    const token = await signUp();
    const { retired } = await rotate();
    service.clock.advance(longestLife - 1_000);
    await service.deps.signingKeys.reload('now');
    expect((await me(token)).status).toBe(200);
    service.clock.advance(1_000 + clockDifference);
    await service.deps.signingKeys.reload('now');
    expect(await publishedBy(service)).toContain(retired);
    await purge(service.deps, 'retiredSigningKeys');
    expect(await rowOfKey(retired)).not.toBeNull();
    service.clock.advance(1);
    await service.deps.signingKeys.reload('now');
    expect(await publishedBy(service)).not.toContain(retired);
    await purge(service.deps, 'retiredSigningKeys');
    expect(await rowOfKey(retired)).toBeNull();
    await service.database.prisma.app.updateMany({ data: { accessTokenSeconds: 3_600 } });
    service.deps.apps.forget();
  });

  test('publishes a removed key for at most one second', async () => {
    const { retired } = await rotate({ revokeRetired: true });
    service.clock.advance(999);
    expect(await publishedBy(service)).toContain(retired);
    service.clock.advance(1);
    expect(await publishedBy(service)).not.toContain(retired);
  });

  test('with revocation of retired keys invalidates their tokens, and sessions stay live', async () => {
    const user = await service.signUp();
    // Verified and cached before the removal.
    expect((await me(user.tokens.access_token)).status).toBe(200);
    const { retired } = await rotate({ revokeRetired: true });
    await service.advance(rereadMilliseconds);
    expect(await publishedBy(service)).not.toContain(retired);
    expect(await me(user.tokens.access_token)).toMatchObject(invalid);
    const fresh = await service.refresh(user.tokens.refresh_token);
    expect((await me(fresh.data.access_token)).status).toBe(200);
  });

  test('leaves one current and one next key after concurrent rotations', async () => {
    await Promise.all([rotate(), rotate(), rotate(), ensureSigningKeys(service.deps, 'ES256')]);
    const rows = await service.database.prisma.signingKey.findMany({ where: { algorithm: 'ES256' } });
    const count = (status: string) => rows.filter((row) => row.status === status).length;
    expect([count('current'), count('next')]).toEqual([1, 1]);
    await service.advance(rereadMilliseconds);
  });

  test.each(['current', 'next'])('creates the %s key alone, if only that is missing', async (missing) => {
    const { signingKey } = service.database.prisma;
    const where = { algorithm: 'ES256', status: { in: ['current', 'next'] } };
    const kept = await signingKey.findMany({
      where: { ...where, status: { in: ['current', 'next'], not: missing } },
    });
    const lost = await signingKey.findFirstOrThrow({ where: { ...where, status: missing } });
    await signingKey.delete({ where: { kid: lost.kid } });
    await ensureSigningKeys(service.deps, 'ES256');
    const rows = await signingKey.findMany({ where });
    expect(rows.map(({ status }) => status).sort()).toEqual(['current', 'next']);
    expect(rows.filter(({ status }) => status !== missing)).toEqual(kept);
    await signingKey.delete({ where: { kid: rows.find(({ status }) => status === missing)?.kid as string } });
    await signingKey.create({ data: { ...lost, publicJwk: lost.publicJwk as object } });
  });

  test('creates RSA keys of 3,072 bits, which sign at once; existing keys of 2,048 bits sign until the next rotation', async () => {
    // Stored as if by another process: this one has not read the keys.
    const { app } = await createApp(service.deps, { name: 'Gateway', tokenAlgorithm: 'RS256' });
    const { access_token: token } = (await service.signUp({ appKey: app.appKey })).tokens;
    const header = decodeProtectedHeader(token);
    expect(header).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: expect.any(String) });
    const { json } = await service.call('GET', '/.well-known/jwks.json', { appKey: null });
    const jwk = json.keys.find((key: { kid: string }) => key.kid === header.kid);
    const n = expect.any(String);
    expect(jwk).toEqual({ kty: 'RSA', use: 'sig', alg: 'RS256', kid: header.kid, n, e: 'AQAB' });
    const currentDate = service.clock.now();
    await jwtVerify(token, createPublicKey({ key: jwk, format: 'jwk' }), { currentDate });
    expect((await service.call('GET', '/me', { token, appKey: app.appKey })).status).toBe(200);

    const where = { algorithm: 'RS256', status: 'current' };
    const { kid } = await service.database.prisma.signingKey.findFirstOrThrow({ where });
    const pair = rsaKeyPair('an earlier signing key');
    const pkcs8 = pair.privateKey.export({ format: 'der', type: 'pkcs8' });
    const privateKey = new Uint8Array(service.deps.keyRing.encrypt(pkcs8, `signing-key ${kid}`));
    const publicJwk = { ...pair.publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' };
    await service.database.prisma.signingKey.update({ where: { kid }, data: { privateKey, publicJwk } });
    await service.advance(rereadMilliseconds);

    const user = await service.signUp({ appKey: app.appKey });
    expect(kidOf(user.tokens.access_token)).toBe(kid);
    const me = { token: user.tokens.access_token, appKey: app.appKey };
    expect((await service.call('GET', '/me', me)).status).toBe(200);
    const bitsOf = async (status: string) => {
      const row = await service.database.prisma.signingKey.findFirstOrThrow({
        where: { algorithm: 'RS256', status },
      });
      return Buffer.from((row.publicJwk as { n: string }).n, 'base64url').length * 8;
    };
    expect([await bitsOf('current'), await bitsOf('next')]).toEqual([2_048, 3_072]);

    // A rotation of one algorithm does not change the keys of the other.
    const ofRsa = { where: { algorithm: 'RS256' } };
    const before = await service.database.prisma.signingKey.findMany(ofRsa);
    await rotate({ revokeRetired: true });
    expect(await service.database.prisma.signingKey.findMany(ofRsa)).toEqual(before);
    await service.advance(rereadMilliseconds);
  });
});

describe('a second instance on the same database', () => {
  let other: TestService;
  beforeEach(async () => {
    const clock = manualClock(service.clock.now());
    other = await service.secondInstance({ clock, onStatement: statements.onStatement });
    return () => other.stop();
  });

  test('accepts tokens of the first, and applies its rotation without a restart', async () => {
    expect(await publishedBy(other)).toEqual(await publishedBy(service));
    expect((await other.call('GET', '/me', { token: await signUp() })).status).toBe(200);
    const keys = await rotate();
    await service.deps.signingKeys.reload('now');
    const token = await signUp();
    expect(kidOf(token)).toBe(keys.current);
    expect((await other.call('GET', '/me', { token })).status).toBe(200);
    expect(kidOf(await signUp(other))).toBe(keys.retired);
    await other.advance(rereadMilliseconds);
    expect(kidOf(await signUp(other))).toBe(keys.current);
    expect(await publishedBy(other)).toContain(keys.next);
  });

  test('accepts tokens of an unknown key from two rotations, even right after invented key ids', async () => {
    const madeUp = (token: string) => {
      const header = { alg: 'ES256', typ: 'at+jwt', kid: randomBytes(32).toString('base64url') };
      const [, ...rest] = token.split('.');
      return [Buffer.from(JSON.stringify(header)).toString('base64url'), ...rest].join('.');
    };
    const old = await signUp();
    const strangers = Array.from({ length: 20 }, () =>
      other.call('GET', '/me', { token: madeUp(old) }).then(({ code }) => code),
    );
    await rotate();
    const keys = await rotate();
    await service.deps.signingKeys.reload('now');
    const token = await signUp();
    // It reloaded its keys in this second: the call waits until it may reload them.
    expect((await other.call('GET', '/me', { token })).status).toBe(200);
    expect(kidOf(await signUp(other))).toBe(keys.current);
    expect(new Set(await Promise.all(strangers))).toEqual(new Set(['auth/invalid-token']));
  });

  test('also reloads its keys after its clock steps back', async () => {
    other.clock.advance(-24 * 60 * 60 * 1_000);
    const keys = await rotate();
    await other.advance(rereadMilliseconds);
    expect(await publishedBy(other)).toContain(keys.next);
    const asked = await statements.during(() => other.advance(rereadMilliseconds - 1));
    expect(asked.filter((sql) => sql.includes('signing_keys'))).toEqual([]);
  });
});

describe('private keys', () => {
  test('are stored encrypted, each bound to its own key id', async () => {
    const { keyRing, prisma } = service.deps;
    const rows = await prisma.signingKey.findMany();
    expect(rows.length).toBeGreaterThan(2);
    for (const row of rows) {
      const stored = Buffer.from(row.privateKey);
      expect(() => createPrivateKey({ key: stored, format: 'der', type: 'pkcs8' })).toThrow();
      const plain = keyRing.decrypt(stored, `signing-key ${row.kid}`);
      const jwk = createPrivateKey({ key: plain, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' });
      expect(jwk.d).toBeTypeOf('string');
      expect(stored.includes(Buffer.from(jwk.d as string, 'base64url'))).toBe(false);
      expect(JSON.stringify(row.publicJwk)).not.toContain(jwk.d);
      expect(() => keyRing.decrypt(stored, 'signing-key of another')).toThrow();
    }
  });
});

test('the audit log of every app records a rotation with the key ids', async () => {
  const { app } = await service.newApp();
  const { current, retired } = await rotate({ revokeRetired: true });
  const where = { action: 'signing_keys.rotated', target: `signing_key:${current}` };
  const entries = await service.auditEntries(where);
  expect(entries.map(({ appId }) => appId)).toContain(app.id);
  expect(entries).toHaveLength(await service.database.prisma.app.count());
  for (const { actor, details } of entries) {
    expect(actor).toBe('command_line');
    expect(details).toEqual({ algorithm: 'ES256', retired, revoke_retired: true });
  }
  await service.advance(rereadMilliseconds);
});

describe('another encryption key', () => {
  const newKey = 'a-newer-secret-key-for-tests-and-long-enough';
  const withKeys = (...encryptionKeys: string[]) => service.secondInstance({ config: { encryptionKeys } });

  test('before the old one: old sessions and access tokens remain valid, and new ones use the new key', async () => {
    const user = await service.signUp();
    const both = await withKeys(newKey, testEncryptionKey);
    expect((await both.call('GET', '/me', { token: user.tokens.access_token })).status).toBe(200);
    const refreshed = await both.refresh(user.tokens.refresh_token);
    expect(refreshed.status).toBe(200);
    // The session stores its key id, so that an instance not restarted yet gives the same answer.
    expect((await service.refresh(user.tokens.refresh_token)).data.refresh_token).toBe(
      refreshed.data.refresh_token,
    );
    const fresh = (await both.signIn(user)).data.refresh_token;
    expect(keyIdOf(fresh)).toBe(both.deps.keyRing.currentKeyId);
    expect(keyIdOf(refreshed.data.refresh_token)).toBe(service.deps.keyRing.currentKeyId);
    expect(await service.refresh(fresh)).toMatchObject({ status: 503, code: 'request/unavailable' });
    await both.stop();
  });

  test('as the only key, while stored keys use the old one, prevents the start with an explanation', async () => {
    const before = await service.database.prisma.signingKey.findMany();
    await expect(withKeys(newKey)).rejects.toThrow(
      /ENCRYPTION_KEYS has no key with the id \d+: set ENCRYPTION_KEYS/,
    );
    await expect(
      rotateSigningKeys({ ...service.deps, keyRing: keyRing([newKey], service.deps.random) }, 'ES256'),
    ).rejects.toThrow('set ENCRYPTION_KEYS');
    expect(await service.database.prisma.signingKey.findMany()).toEqual(before);
  });

  test('used for the current signing key meanwhile: removed keys go, and a readable key still signs', async () => {
    const lines: string[] = [];
    const old = await testService({ onLogLine: (line) => lines.push(line) });
    const newer = await old.secondInstance({ config: { encryptionKeys: [newKey, testEncryptionKey] } });
    const rotateOfNewer = (options = {}) => rotateSigningKeys(newer.deps, 'ES256', options);
    const user = await old.signUp();
    const token = user.tokens.access_token;
    // Two keys use the new encryption key: the second rotation makes one of them current.
    const keys = [await rotateOfNewer(), await rotateOfNewer()];
    for (const _ of [1, 2, 3]) await old.advance(rereadMilliseconds);
    const published = await publishedBy(old);
    expect(published).toEqual(expect.arrayContaining(keys.map(({ current }) => current)));
    expect((await old.call('GET', '/me', { token })).status).toBe(200);
    const signing = kidOf(await signUp(old));
    expect(published).toContain(signing);
    expect(signing).not.toBe(keys[1]?.current);
    expect(lines.filter((line) => line.includes('the current signing key cannot be read'))).toHaveLength(1);

    const { retired } = await rotateOfNewer({ revokeRetired: true });
    await old.advance(rereadMilliseconds);
    expect(await publishedBy(old)).not.toContain(retired);
    expect(await old.call('GET', '/me', { token })).toMatchObject(invalid);
    // It has no readable signing key left.
    expect((await old.signIn(user)).code).toBe('request/unavailable');
    await newer.stop();
    await old.stop();
  });

  test('after re-encryption of stored keys: the new key suffices for all but sessions of the old one', async () => {
    const user = await service.signUp();
    const both = await withKeys(newKey, testEncryptionKey);
    const stored = await both.database.prisma.signingKey.count();
    expect(await reencryptSigningKeys(both.deps)).toBe(stored);
    expect(await reencryptSigningKeys(both.deps)).toBe(0);
    const fresh = (await both.signIn(user)).data;
    const after = await withKeys(newKey);
    expect((await after.call('GET', '/me', { token: user.tokens.access_token })).status).toBe(200);
    expect((await after.refresh(fresh.refresh_token)).status).toBe(200);
    expect(await after.refresh(user.tokens.refresh_token)).toMatchObject({ status: 503 });
    // Nothing is lost: after the old key is listed again the session works.
    expect((await both.refresh(user.tokens.refresh_token)).status).toBe(200);
    await after.stop();
    await both.stop();
  });
});

function keyIdOf(refreshToken: string): number | undefined {
  return Buffer.from(refreshToken.slice(3), 'base64url')[1];
}
