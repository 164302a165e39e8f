// The collections of the fake service: access modes, versions and preconditions of records.
import type { DataRecord } from '../features/collection.js';
import type { Route } from '../generated/routes.js';
import {
  type Answer,
  type Call,
  data,
  forAnyUser,
  type Handlers,
  noContent,
  pageOf,
  Refusal,
} from './fake-answer.js';
import type { FakeClock } from './fake-clock.js';
import { hasTag } from './fake-etag.js';
import { accept, object } from './fake-input.js';
import type { AccessMode } from './fake-service-types.js';

type Fields = Record<string, unknown>;
export type StoredRecord = DataRecord<Fields>;
type Action = 'read' | 'create' | 'change';
type Rule = 'backend' | 'public' | 'signed-in' | 'owner';

const rules = {
  admin: { read: 'backend', create: 'backend', change: 'backend' },
  public_read: { read: 'public', create: 'backend', change: 'backend' },
  signed_in_read: { read: 'signed-in', create: 'backend', change: 'backend' },
  owner: { read: 'owner', create: 'signed-in', change: 'owner' },
  owner_public_read: { read: 'public', create: 'signed-in', change: 'owner' },
  owner_signed_in_read: { read: 'signed-in', create: 'signed-in', change: 'owner' },
  shared: { read: 'signed-in', create: 'signed-in', change: 'signed-in' },
} satisfies Record<AccessMode, Record<Action, Rule>>;

export interface FakeCollection {
  mode: AccessMode;
  records: Map<string, StoredRecord>;
}

export function recordHandlers(clock: FakeClock) {
  const collections = new Map<string, FakeCollection>();
  let firstVersion = 2 ** 20;

  /** As in the service, no version of a deleted record is one of a new record with its id. */
  function newVersion(): number {
    firstVersion += 2 ** 10;
    return firstVersion;
  }

  function write(
    name: string,
    id: string,
    fields: Fields,
    owner: string | null,
    first = newVersion(),
  ): StoredRecord {
    const { records } = collections.get(name)!;
    const known = records.get(id);
    const now = clock.timestamp();
    const record: StoredRecord = {
      id,
      collection: name,
      fields,
      owner_uid: known ? known.owner_uid : owner,
      version: known ? known.version + 1 : first,
      created_at: known?.created_at ?? now,
      updated_at: now,
    };
    records.set(id, record);
    return record;
  }

  /** The collection of a call, after its access check. */
  function open(call: Call, action: Action): FakeCollection & { isOwn: boolean } {
    const { params, session } = call;
    requireMatch(params, 'collection', collectionName);
    const found = collections.get(params.collection!);
    if (!found) throw new Refusal('data/collection-not-found');
    const rule: Rule = rules[found.mode][action];
    if (rule === 'backend') throw new Refusal('data/permission-denied');
    if (rule !== 'public' && !session) throw new Refusal('auth/invalid-token');
    requireMatch(params, 'id', recordId);
    return { ...found, isOwn: rule === 'owner' };
  }

  /** The readable records, sorted by id. */
  function readable(call: Call): StoredRecord[] {
    const { records, isOwn } = open(call, 'read');
    return [...records.values()]
      .filter(({ owner_uid }) => !isOwn || owner_uid === call.session!.uid)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** The record that a write would change; undefined if it does not exist. Checks its owner and the preconditions. */
  function target(call: Call): StoredRecord | undefined {
    const { records, isOwn, mode } = open(call, 'change');
    const record = records.get(call.params.id!);
    if (record && isOwn && record.owner_uid !== call.session!.uid) {
      throw new Refusal(rules[mode].read === 'owner' ? 'data/not-found' : 'data/permission-denied');
    }
    const [ifMatch, ifNoneMatch] = [call.header('if-match'), call.header('if-none-match')];
    const isMatch = (tags: string | undefined) => record !== undefined && hasTag(tags, etagOf(record));
    if ((ifMatch !== undefined && !isMatch(ifMatch)) || isMatch(ifNoneMatch)) {
      throw new Refusal('data/precondition-failed');
    }
    return record;
  }

  function existing(call: Call): StoredRecord {
    const record = target(call);
    if (!record) throw new Refusal('data/not-found');
    return record;
  }

  const fieldsOf = ({ body }: Call): Fields => accept(body, { fields: object }).fields;

  const handlers = {
    'POST /data/:collection': forAnyUser((call) => {
      open(call, 'create');
      return answer(write(call.params.collection!, clock.newId(), fieldsOf(call), call.session!.uid, 1), 201);
    }),
    'GET /data/:collection': forAnyUser((call) => pageOf(readable(call), call)),
    'GET /data/:collection/:id': forAnyUser((call) => {
      const record = readable(call).find(({ id }) => id === call.params.id);
      if (!record) throw new Refusal('data/not-found');
      const headers = { ETag: etagOf(record) };
      if (hasTag(call.header('if-none-match'), headers.ETag)) return { status: 304, headers };
      return answer(record);
    }),
    'PUT /data/:collection/:id': forAnyUser((call) => {
      const { collection, id } = call.params;
      const known = target(call);
      if (!known) open(call, 'create');
      return answer(write(collection!, id!, fieldsOf(call), call.session!.uid), known ? 200 : 201);
    }),
    'PATCH /data/:collection/:id': forAnyUser((call) => {
      const { id, fields, collection } = existing(call);
      return answer(write(collection, id, merged(fields, fieldsOf(call)), null));
    }),
    'DELETE /data/:collection/:id': forAnyUser((call) => {
      const { collection, id } = existing(call);
      collections.get(collection)!.records.delete(id);
      return noContent;
    }),
  } satisfies Partial<Handlers<Route>>;

  return {
    handlers,
    collections,
    write,
    /** Declares a collection, or changes its mode. */
    define(name: string, mode: AccessMode) {
      collections.set(name, { mode, records: collections.get(name)?.records ?? new Map() });
    },
  };
}

const collectionName = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const recordId = /^[A-Za-z0-9_.@:-]{1,128}$/;

function requireMatch(params: Call['params'], name: 'collection' | 'id', pattern: RegExp): void {
  const value = params[name];
  if (value === undefined || pattern.test(value)) return;
  throw new Refusal('request/validation-failed', {
    [name]: ['has characters that are not allowed, or too many'],
  });
}

const etagOf = ({ version }: StoredRecord) => `"${version}"`;

function answer(record: StoredRecord, status = 200): Answer {
  return data(record, status, { ETag: etagOf(record) });
}

/** Objects are merged key by key at every depth; other values are replaced. */
function merged(target: Fields, patch: Fields): Fields {
  const entries = Object.entries(patch).map(([key, value]) => {
    const before = target[key];
    return [key, isObject(before) && isObject(value) ? merged(before, value) : value];
  });
  return { ...target, ...Object.fromEntries(entries) };
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
