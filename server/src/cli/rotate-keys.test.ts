// Rotation of keys that no app uses, and re-encryption of every table with encrypted values: in more than one batch, and beside
// changes of the same rows.
import { limits } from '@foyer/contract';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type KeyRing, keyRing } from '../../engines/keys/index.js';
import { testOnServer, untilBlocked } from '../../test/blocked.js';
import { type TestService, testEncryptionKey, testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import { reencryptAppSecrets } from '../apps/app-secrets.js';
import { createApp } from '../apps/create-app.js';
import type { Deps } from '../deps.js';
import { reencryptStoredResponses, requestHmac } from '../idempotency/stored-response.js';
import { reencryptProviderTokens } from '../identities/stored-provider-tokens.js';
import { systemRandom } from '../lib/crypto/random.js';
import { reencryptPushTokens } from '../push/devices/encrypted-tokens.js';
import { reencryptFactors } from '../second-factor/stored-secret.js';
import { reencryptSigningKeys } from '../tokens/rotate-signing-keys.js';
import { reencryptWebhookSecrets } from '../webhooks/endpoints/secret.js';
import { rotateKeys } from './rotate-keys.js';

const service = shared(() => testService());
const formerKeys = keyRing([testEncryptionKey], systemRandom());
const nextKey = 'another secret key for tests, which is long enough';
const nextKeys = keyRing([nextKey, testEncryptionKey], systemRandom());
const nextKeyAlone = keyRing([nextKey], systemRandom());

/** A batch has a hundred rows. */
const rowCount = 201;
const now = new Date(0);
const numbers = Array.from({ length: rowCount }, (_, place) => String(place).padStart(3, '0'));
const digest = Buffer.alloc(32, 1);
const hashOf = (number: string) => new Uint8Array(Buffer.from(number.padStart(32, '0')));

type Values = (number: string) => { context: string; plaintext: string };
type Encrypt = (values: { context: string; plaintext: string }) => Uint8Array<ArrayBuffer>;
type Table = {
  name: string;
  reencrypt(deps: Pick<Deps, 'prisma' | 'keyRing'>, appId: string): Promise<number>;
  /** The values of a row, by column: the context that they are bound to, and what is encrypted. */
  columns: Record<string, (appId: string) => Values>;
  insert(
    appId: string,
    encrypted: (column: string, number: string) => Uint8Array<ArrayBuffer>,
  ): Promise<unknown>;
  /** The column that names a row. */
  key: string;
};

const prisma = () => service.database.prisma;
const usersOf = (appId: string) =>
  prisma().user.createMany({
    data: numbers.map((id) => ({
      ...{ appId, id, email: `${id}@example.com`, memberId: id, createdAt: now, updatedAt: now },
    })),
  });
const plain = (prefix: string) => (appId: string) => (number: string) => ({
  context: `${prefix} ${appId} ${number}`,
  plaintext: `${prefix} of ${number}`,
});

const tables: Table[] = [
  {
    name: 'signing_keys',
    reencrypt: reencryptSigningKeys,
    columns: { private_key: () => (kid) => ({ context: `signing-key ${kid}`, plaintext: `key ${kid}` }) },
    insert: (_, encrypted) =>
      prisma().signingKey.createMany({
        data: numbers.map((kid) => ({
          ...{ kid, algorithm: 'ES256', status: 'retired', publicJwk: {}, createdAt: now, retiredAt: now },
          privateKey: encrypted('private_key', kid),
        })),
      }),
    key: 'kid',
  },
  {
    name: 'app_secrets',
    reencrypt: reencryptAppSecrets,
    columns: { value: plain('app-secret') },
    insert: (appId, encrypted) =>
      prisma().appSecret.createMany({
        data: numbers.map((name) => ({ appId, name, value: encrypted('value', name), updatedAt: now })),
      }),
    key: 'name',
  },
  {
    name: 'push_devices',
    reencrypt: reencryptPushTokens,
    columns: {
      token: (appId) => (number) => ({
        context: `push-device ${appId} fcm ${Buffer.from(hashOf(number)).toString('hex')}`,
        plaintext: JSON.stringify([number]),
      }),
    },
    insert: (appId, encrypted) =>
      prisma().pushDevice.createMany({
        data: numbers.map((id) => ({
          ...{ appId, id, provider: 'fcm', tokenHash: hashOf(id), token: encrypted('token', id) },
          ...{ platform: 'android', environment: 'production', createdAt: now, lastRegisteredAt: now },
        })),
      }),
    key: 'id',
  },
  {
    name: 'identities',
    reencrypt: reencryptProviderTokens,
    columns: { refresh_token: (appId) => plain('identity')(`${appId} provider-b`) },
    insert: async (appId, encrypted) => {
      await usersOf(appId);
      return prisma().identity.createMany({
        data: numbers.map((subject) => ({
          ...{ appId, provider: 'provider-b', subject, uid: subject, clientId: 'client' },
          ...{ refreshToken: encrypted('refresh_token', subject), linkedAt: now, userCreatedAt: now },
        })),
      });
    },
    key: 'subject',
  },
  {
    name: 'second_factors',
    reencrypt: reencryptFactors,
    columns: { secret: plain('second factor'), pending_secret: plain('second factor') },
    insert: async (appId, encrypted) => {
      await usersOf(appId);
      return prisma().secondFactor.createMany({
        data: numbers.map((uid, place) => ({
          ...{ appId, uid },
          // Either of the two may be missing.
          secret: place % 3 === 1 ? null : encrypted('secret', uid),
          pendingSecret: place % 3 === 2 ? null : encrypted('pending_secret', uid),
        })),
      });
    },
    key: 'user_id',
  },
  {
    name: 'webhook_endpoints',
    reencrypt: reencryptWebhookSecrets,
    columns: { secret: plain('webhook'), previous_secret: plain('webhook') },
    insert: (appId, encrypted) =>
      prisma().webhookEndpoint.createMany({
        data: numbers.map((id, place) => ({
          ...{ appId, id, url: 'https://example.com', createdAt: now, updatedAt: now },
          secret: encrypted('secret', id),
          previousSecret: place % 2 ? null : encrypted('previous_secret', id),
        })),
      }),
    key: 'id',
  },
  {
    name: 'idempotency_keys',
    reencrypt: reencryptStoredResponses,
    columns: {
      answer: (appId) => (number) => ({
        context: `idempotency ${appId} secret_key:x POST /x ${number}`,
        plaintext: JSON.stringify({
          digest: digest.toString('base64'),
          answer: { status: 201, headers: { number } },
        }),
      }),
    },
    insert: (appId, encrypted) =>
      prisma().idempotencyKey.createMany({
        data: numbers.map((key) => ({
          ...{
            appId,
            actor: 'secret_key:x',
            route: 'POST /x',
            key,
            claimId: '',
            claimedAt: now,
            expiresAt: now,
          },
          ...{
            keyId: formerKeys.currentKeyId,
            request: new Uint8Array(32),
            answer: encrypted('answer', key),
          },
        })),
      }),
    key: 'key',
  },
];

const encryptWith =
  (ring: KeyRing): Encrypt =>
  ({ context, plaintext }) =>
    new Uint8Array(ring.encrypt(Buffer.from(plaintext), context));

/** Rows of the table in a new app, all encrypted with the former key. */
async function filled({ name, columns, insert }: Table): Promise<string> {
  const { app } = await service.newApp();
  const encrypt = encryptWith(formerKeys);
  await insert(app.id, (column, number) =>
    encrypt((columns[column] as (id: string) => Values)(app.id)(number)),
  );
  if (name === 'signing_keys') {
    onTestFinished(async () => {
      await prisma().signingKey.deleteMany({ where: { kid: { in: numbers } } });
    });
  }
  return app.id;
}

type Row = Record<string, Uint8Array | null> & { number: string };

function rowsOf({ name, key: column, columns }: Table, appId: string): Promise<Row[]> {
  const ofApp = name === 'signing_keys' ? 'length(kid) = 3' : `app_id = '${appId}'`;
  const selected = Object.keys(columns).join(', ');
  return prisma().$queryRawUnsafe(
    `SELECT ${column} AS number, ${selected} FROM ${name} WHERE ${ofApp} ORDER BY ${column}`,
  );
}

/** What does not decrypt with the next key alone to what was encrypted, as `column of row`. */
function wrong({ columns }: Table, appId: string, rows: Row[]): string[] {
  return rows.flatMap((row) =>
    Object.entries(columns).flatMap(([column, of]) => {
      const value = row[column];
      const { context, plaintext } = of(appId)(row.number);
      const isRight = !value || nextKeyAlone.decrypt(value as Uint8Array, context).toString() === plaintext;
      return isRight ? [] : [`${column} of ${row.number}`];
    }),
  );
}

describe.each(tables)('$name', (table) => {
  test('more rows than a batch has are re-encrypted, those of other apps are not, and again there is nothing to do', async () => {
    const appId = await filled(table);
    const other = table.name === 'signing_keys' ? null : await filled(table);
    const deps = { prisma: prisma(), keyRing: nextKeys };
    // The service has signing keys of its own.
    const all = table.name === 'signing_keys' ? await prisma().signingKey.count() : rowCount;
    expect(await table.reencrypt(deps, appId)).toBe(all);
    expect(await table.reencrypt(deps, appId)).toBe(0);
    const rows = await rowsOf(table, appId);
    expect(rows).toHaveLength(rowCount);
    expect(wrong(table, appId, rows)).toEqual([]);
    const columnsOfOther = other
      ? (await rowsOf(table, other)).flatMap((row) => Object.keys(table.columns).map((column) => row[column]))
      : [];
    expect(
      columnsOfOther.filter(
        (value) => value && nextKeys.keyIdOf(value as Uint8Array) === nextKeys.currentKeyId,
      ),
    ).toEqual([]);
  });

  testOnServer(
    'a row that changes meanwhile keeps its change, and one that is deleted does not return',
    async () => {
      const appId = await filled(table);
      const [column, of] = Object.entries(table.columns)[0] as [string, (id: string) => Values];
      const { key } = table;
      const [changed, deleted] = [numbers[0] as string, numbers[150] as string];
      const { context } = of(appId)(changed);
      const { plaintext } = of(appId)(numbers[1] as string);
      const change = encryptWith(formerKeys)({ context, plaintext });
      const where = table.name === 'signing_keys' ? '' : `AND app_id = '${appId}'`;
      const reencryption = await prisma().$transaction(async (tx) => {
        const set = `UPDATE ${table.name} SET ${column} = $1 WHERE ${key} = $2 ${where}`;
        expect(await tx.$executeRawUnsafe(set, change, changed)).toBe(1);
        expect(
          await tx.$executeRawUnsafe(`DELETE FROM ${table.name} WHERE ${key} = $1 ${where}`, deleted),
        ).toBe(1);
        const begun = table.reencrypt({ prisma: prisma(), keyRing: nextKeys }, appId);
        // It has read the row as it was, and waits for the change before it writes.
        await untilBlocked(service.database, 1);
        return { begun };
      });
      await reencryption.begun;
      const rows = await rowsOf(table, appId);
      expect(rows.map(({ number }) => number)).toEqual(numbers.filter((number) => number !== deleted));
      const [first, ...others] = rows;
      expect(nextKeyAlone.decrypt(first?.[column] as Uint8Array, context).toString()).toBe(plaintext);
      expect(wrong(table, appId, others)).toEqual([]);
    },
  );
});

test('a stored response keeps the digest of its request, under the new key', async () => {
  const table = tables.find(({ name }) => name === 'idempotency_keys') as Table;
  const appId = await filled(table);
  await table.reencrypt({ prisma: prisma(), keyRing: nextKeys }, appId);
  const row = await prisma().idempotencyKey.findFirstOrThrow({ where: { appId } });
  expect(row.keyId).toBe(nextKeys.currentKeyId);
  expect(Buffer.from(row.request)).toEqual(requestHmac(nextKeyAlone, nextKeys.currentKeyId, digest));
});

/** Runs the command on the database of the service, with these encryption keys. */
async function rotateOn({ deps }: TestService, keyRing: KeyRing, ...words: string[]): Promise<string[]> {
  const lines: string[] = [];
  await rotateKeys(words, (work) => work({ ...deps, keyRing }, (line) => void lines.push(line)));
  return lines;
}

test('the keys of an algorithm that no app uses any more are rotated and revoked too', async () => {
  const own = await testService();
  onTestFinished(() => own.stop());
  const app = await createApp(own.deps, { name: 'Gateway', tokenAlgorithm: 'RS256' });
  const { appKey } = app.app;
  const { access_token: token } = (await own.signUp({ appKey })).tokens;
  await own.changeSettings({ token_algorithm: 'ES256' }, app);
  const code = async () => (await own.call('GET', '/me', { token, appKey })).code;
  const keys = await own.database.prisma.signingKey.findMany({ where: { algorithm: 'RS256' } });
  expect([await code(), keys.map(({ status }) => status).sort()]).toEqual([undefined, ['current', 'next']]);

  for (let times = 0; times < 2; times += 1) {
    const lines = await rotateOn(own, own.deps.keyRing, '--revoke-retired');
    expect(lines.filter((line) => line.startsWith('RS256: '))).toHaveLength(1);
  }
  await own.advance(5_000);
  const { json } = await own.call('GET', '/.well-known/jwks.json', { appKey: null });
  const published = json.keys.map(({ kid }: { kid: string }) => kid);
  expect(keys.filter(({ kid }) => published.includes(kid))).toEqual([]);
  expect(await code()).toBe('auth/invalid-token');
});

test('an export is deleted on its day without the encryption key of the time when it was written', async () => {
  const own = await testService();
  onTestFinished(() => own.stop());
  const { uid, tokens } = await own.signUp();
  expect((await own.call('POST', '/me/export', { token: tokens.access_token })).status).toBe(202);
  await own.advance(0);
  const files = () => own.database.prisma.file.count({ where: { ownerId: uid } });
  expect(await files()).toBe(1);

  await rotateOn(own, nextKeys, '--secret');
  const log: string[] = [];
  const later = await own.secondInstance({
    config: { encryptionKeys: [nextKey] },
    onLogLine: (line) => log.push(line),
  });
  onTestFinished(() => later.stop());
  log.splice(0);
  await later.advance(limits.userExportDays * 86_400_000);
  expect([await files(), log]).toEqual([0, []]);
});
