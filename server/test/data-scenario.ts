// The setup of record tests: a declared collection, a secret key with only these scopes, calls on records.
import type { Collection, DataRecord } from '@foyer/contract';
import { indexKeyOf } from '../engines/document-query/sort-key.js';
import { sha256 } from '../src/lib/crypto/digest.js';
import type { Answer, CallOptions, TestService } from './harness.js';
import type { Asked } from './query-oracle.js';

export type Declared = Partial<
  Pick<Collection, 'name' | 'access_mode' | 'on_user_delete' | 'indexed_fields'>
>;

let declared = 0;

/** Creates a collection, by default open to the secret key only, and returns its name. */
export async function newCollection(service: TestService, declaration: Declared = {}): Promise<string> {
  declared += 1;
  const body = { name: `c${declared}`, ...declaration };
  const answer = await service.call('POST', '/admin/collections', { token: service.app.secretKey, body });
  if (answer.status !== 201) throw new Error(`the collection was refused: ${answer.text}`);
  return body.name;
}

export function changeCollection(
  service: TestService,
  name: string,
  body: Declared,
): Promise<Answer<Collection>> {
  return service.call('PATCH', `/admin/collections/${name}`, { token: service.app.secretKey, body });
}

/** Calls with the app's secret key. */
export function asBackend(service: TestService) {
  const call = <Data = DataRecord>(method: string, path: string, options: CallOptions = {}) =>
    service.call<Data>(method, `/data/${path}`, { token: service.app.secretKey, ...options });
  return {
    call,
    create: (collection: string, fields: unknown) => call('POST', collection, { body: { fields } }),
    put: (collection: string, id: string, fields: unknown, headers: Record<string, string> = {}) =>
      call('PUT', `${collection}/${id}`, { body: { fields }, headers }),
    merge: (collection: string, id: string, fields: unknown, headers: Record<string, string> = {}) =>
      call('PATCH', `${collection}/${id}`, { body: { fields }, headers }),
    get: (collection: string, id: string) => call('GET', `${collection}/${id}`),
    delete: (collection: string, id: string, headers: Record<string, string> = {}) =>
      call('DELETE', `${collection}/${id}`, { headers }),
    async putAll(collection: string, records: Record<string, unknown>) {
      for (const [id, fields] of Object.entries(records)) {
        const answer = await call('PUT', `${collection}/${id}`, { body: { fields } });
        if (answer.status !== 201) throw new Error(`the record was refused: ${answer.text}`);
      }
    },
  };
}

/** Inserts records `r00000` to … with the field `n`, without index entries. */
export async function insertRecords(
  { database, clock }: TestService,
  name: string,
  count: number,
  { ownerUid = null as string | null, prefix = 'r', bytes = 9 } = {},
): Promise<void> {
  const { appId, id: collectionId } = await database.prisma.collection.findFirstOrThrow({ where: { name } });
  const [createdAt, updatedAt] = [clock.now(), clock.now()];
  const row = { appId, collectionId, bytes, ownerUid, createdAt, updatedAt };
  await database.prisma.record.createMany({
    data: Array.from({ length: count }, (_, n) => ({
      ...row,
      id: `${prefix}${String(n).padStart(5, '0')}`,
      fields: { n },
    })),
  });
}

/** Inserts the records `r<from>` to `r<to>`, of four digits, with `n`, the only indexed field, and an `m` that falls. */
export async function insertIndexed(
  { database, clock }: TestService,
  name: string,
  n: number,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const { appId, id: collectionId } = await database.prisma.collection.findFirstOrThrow({ where: { name } });
  const [createdAt, updatedAt] = [clock.now(), clock.now()];
  const records = Array.from({ length: to - from + 1 }, (_, i) => ({
    id: `r${String(from + i).padStart(4, '0')}`,
    fields: { n, m: -from - i },
  }));
  await database.prisma.record.createMany({
    data: records.map((record) => ({ appId, collectionId, bytes: 20, createdAt, updatedAt, ...record })),
  });
  const sortKey = new Uint8Array(indexKeyOf(n));
  await database.prisma.recordIndex.createMany({
    data: records.map(({ id: recordId }) => ({ appId, collectionId, number: 1, sortKey, recordId })),
  });
}

/** A monotonic clock that advances at each reading. */
export function elapsedBy(milliseconds: number): () => number {
  let passed = 0;
  return () => {
    passed += milliseconds;
    return passed;
  };
}

export type RecordPage = { items: DataRecord[]; next_cursor: string | null };

/** Queries with the app's secret key; the ids of one page, or of all pages by cursor. */
export function asking(service: () => TestService) {
  const ask = (collection: string, body: Asked | object) =>
    asBackend(service()).call<RecordPage>('POST', `${collection}/query`, { body });

  async function page(collection: string, body: Asked): Promise<RecordPage> {
    const answer = await ask(collection, body);
    if (answer.status !== 200) throw new Error(`${JSON.stringify(body)} was answered ${answer.text}`);
    return answer.data;
  }

  const idsOf = async (collection: string, body: Asked) =>
    (await page(collection, body)).items.map(({ id }) => id);

  async function pagesOf(collection: string, body: Asked): Promise<string[]> {
    const ids: string[] = [];
    for (let startAfter: string | null | undefined; startAfter !== null; ) {
      const { items, next_cursor } = await page(collection, {
        ...body,
        ...(startAfter !== undefined && { startAfter }),
      });
      ids.push(...items.map(({ id }) => id));
      startAfter = next_cursor;
    }
    return ids;
  }

  return { ask, idsOf, pagesOf };
}

export async function secretKeyWith(service: TestService, scopes: string[]): Promise<string> {
  const secretKey = `sk_${service.deps.random.bytes(32).toString('base64url')}`;
  const now = service.clock.now();
  await service.database.prisma.secretKey.create({
    data: {
      appId: service.app.app.id,
      id: service.deps.random.ulid(now),
      name: 'of a test',
      keyHash: new Uint8Array(sha256(secretKey)),
      lastFour: secretKey.slice(-4),
      scopes,
      createdAt: now,
    },
  });
  return secretKey;
}
