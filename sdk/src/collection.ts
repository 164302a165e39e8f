// `collection(client, name)`: the JSON records of a collection. Signed in, calls are made as the user; signed out, without
// one, as far as the collection's access mode lets anybody.
import type { RequestInput } from './address.js';
import type { CallOptions, Client, PageList, RepeatableCallOptions } from './api.js';
import { pause } from './bounded.js';
import { FoyerError, isFoyerError } from './errors.js';
import type { PageQuery } from './generated/models.js';
import type { Route } from './generated/routes.js';
import type { Page } from './models.js';
import { createOptionalUserCall } from './optional-user.js';
import { createPageList } from './page-list.js';
import { partsOf } from './parts.js';
import { type Condition, createQuery, type Query } from './query.js';

/** A JSON record with fields of the type `T`, which is yours to keep true. */
export interface DataRecord<T extends object = Record<string, unknown>> {
  /** Within the collection. */
  id: string;
  collection: string;
  fields: T;
  /** The user who created the record; null where your backend did. */
  owner_uid: string | null;
  /** Counts the writes. */
  version: number;
  created_at: string;
  updated_at: string;
}

/** Some of the fields, at every depth; arrays are replaced whole. */
export type PartOf<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: PartOf<T[K]> }
    : T;

/** Options of a write that depends on what is there. With a condition it is sent once unless `maxRetries` says more. */
export interface WriteOptions extends RepeatableCallOptions {
  /** Refuses with `data/precondition-failed` unless the record has this version. */
  ifVersion?: number | undefined;
  /** Refuses with `data/precondition-failed` where there is a record already. */
  ifAbsent?: boolean | undefined;
}

export interface Collection<T extends object = Record<string, unknown>> {
  /** Creates a record, whose id the service makes; the signed-in user owns it. */
  create(fields: T, options?: CallOptions): Promise<DataRecord<T>>;
  /** The record, or null where there is none that may be seen. */
  get(id: string, options?: RepeatableCallOptions): Promise<DataRecord<T> | null>;
  /** Replaces all fields, or creates the record with this id. */
  replace(id: string, fields: T, options?: WriteOptions): Promise<DataRecord<T>>;
  /** Merges objects key by key at every depth; arrays and other values replace. */
  merge(id: string, fields: PartOf<T>, options?: WriteOptions): Promise<DataRecord<T>>;
  /**
   * Reads the record, lets `change` make its new fields, and replaces it unless somebody else has written it meanwhile:
   * then all of that again, up to ten times. `change` must do nothing else, since it may run more than once.
   */
  update(id: string, change: (fields: T) => T | Promise<T>, options?: CallOptions): Promise<DataRecord<T>>;
  delete(id: string, options?: WriteOptions): Promise<void>;
  /** All records that may be seen, by id. */
  list(page?: PageQuery, options?: RepeatableCallOptions): PageList<DataRecord<T>>;
  /** Finds records: `notes.query().where('done', '==', false).orderBy('created', 'desc').limit(20)`. */
  query(options?: CallOptions): Query<T, DataRecord<T>>;
}

const updateTries = 10;

/**
 * The records of a collection that your app's team has declared.
 *
 * @example
 * const notes = collection<{ title: string; done: boolean }>(client, 'notes');
 * const { id } = await notes.create({ title: 'Groceries', done: false });
 * await notes.merge(id, { done: true });
 * for await (const note of notes.query().where('done', '==', true)) console.log(note.fields.title);
 */
export function collection<T extends object = Record<string, unknown>>(
  client: Client,
  name: string,
): Collection<T> {
  const parts = partsOf.get(client);
  if (!parts) throw new FoyerError('client/invalid-argument', 'Not a client of createClient.');
  return createCollection(createOptionalUserCall(parts.keeper, parts.sendRepeated, parts.call), name);
}

type DataRoute = Extract<Route, `${string} /data/${string}`>;
type DataCall = <A, R extends DataRoute = DataRoute>(
  route: R,
  input?: RequestInput<R>,
  options?: RepeatableCallOptions,
) => Promise<A>;

/** @internal The same over any way to call: as the user, as nobody, or with a secret key. */
export function createCollection<T extends object>(call: DataCall, name: string): Collection<T> {
  const all = { collection: name };
  const one = (id: string) => ({ collection: name, id });

  const read = (id: string, options?: CallOptions) =>
    call<DataRecord<T>>('GET /data/:collection/:id', { params: one(id) }, options);
  const replace = (id: string, fields: T, options?: WriteOptions) =>
    call<DataRecord<T>>(
      'PUT /data/:collection/:id',
      { params: one(id), body: { fields } },
      conditional(options),
    );

  return {
    create: (fields, options) =>
      call<DataRecord<T>>('POST /data/:collection', { params: all, body: { fields } }, options),
    get: (id, options) =>
      read(id, options).catch((error) => {
        if (isFoyerError(error, 'data/not-found')) return null;
        throw error;
      }),
    replace,
    merge: (id, fields, options) =>
      call<DataRecord<T>>(
        'PATCH /data/:collection/:id',
        { params: one(id), body: { fields } },
        conditional(options),
      ),
    async update(id, change, options) {
      for (let tries = 1; ; tries++) {
        const { fields, version } = await read(id, options);
        const next = await change(fields);
        try {
          return await replace(id, next, { ...options, ifVersion: version });
        } catch (error) {
          if (!isFoyerError(error, 'data/precondition-failed') || tries === updateTries) throw error;
          // Those who write at the same time are spread, so that one of them comes through.
          await pause(Math.random() * 20 * tries, options?.signal);
        }
      }
    },
    delete: (id, options) =>
      call<void>('DELETE /data/:collection/:id', { params: one(id) }, conditional(options)),
    list: (page, options) =>
      createPageList(
        (query) => call<Page<DataRecord<T>>>('GET /data/:collection', { params: all, query }, options),
        page,
      ),
    query: (options) =>
      createQuery<T, DataRecord<T>>((body: { where: Condition[] }) =>
        call<Page<DataRecord<T>>>('POST /data/:collection/query', { params: all, body }, options),
      ),
  };
}

/** After a lost answer the condition would be judged by what the first try has written, so there is no second by itself. */
function conditional({ ifVersion, ifAbsent, ...options }: WriteOptions = {}): RepeatableCallOptions {
  const headers = {
    ...options.headers,
    ...(ifVersion !== undefined && { 'If-Match': `"${ifVersion}"` }),
    ...(ifAbsent && { 'If-None-Match': '*' }),
  };
  const isConditional = ifVersion !== undefined || ifAbsent;
  return { ...options, headers, ...(isConditional && { maxRetries: options.maxRetries ?? 0 }) };
}
