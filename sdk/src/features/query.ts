// An immutable query builder on a collection; each query is also the list of its results.
import type { PageList } from '../api.js';
import type { Page } from '../models.js';
import { createPageList } from './page-list.js';

export type ComparisonOp = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** The record's metadata fields. */
export type OwnField = '$id' | '$owner_uid' | '$created_at' | '$updated_at';

/**
 * The keys of `T`, with nested keys joined by dots; any string when the keys are unknown, and below the fourth level, because a
 * type may contain itself.
 */
export type FieldPath<T, Above extends unknown[] = []> = string extends keyof T
  ? string
  : Above['length'] extends 4
    ? string
    : {
        [K in keyof T & string]:
          | K
          | (Nested<T[K]> extends never ? never : `${K}.${FieldPath<Nested<T[K]>, [...Above, K]>}`);
      }[keyof T & string];

type Nested<V> =
  Exclude<V, null | undefined> extends infer O
    ? O extends readonly unknown[]
      ? never
      : O extends object
        ? O
        : never
    : never;

/** The type of the value at a path. */
export type FieldValue<T, P> = P extends keyof T
  ? T[P]
  : P extends `${infer K}.${infer Rest}`
    ? K extends keyof T
      ? FieldValue<Nested<T[K]>, Rest>
      : unknown
    : P extends OwnField
      ? string | null
      : unknown;

type Element<V> = unknown extends V
  ? unknown
  : Exclude<V, null | undefined> extends readonly (infer E)[]
    ? E
    : never;

export interface Condition {
  field: string;
  op: string;
  value: unknown;
}

/** Await it for its first page, or iterate over all results. */
export interface Query<T, R> extends PageList<R> {
  /** Adds a condition; all conditions must match. */
  where<P extends FieldPath<T> | OwnField>(
    field: P,
    op: ComparisonOp,
    value: FieldValue<T, P> | null,
  ): Query<T, R>;
  where<P extends FieldPath<T> | OwnField>(
    field: P,
    op: 'in' | 'not-in',
    values: readonly (FieldValue<T, P> | null)[],
  ): Query<T, R>;
  where<P extends FieldPath<T> | OwnField>(
    field: P,
    op: 'array-contains',
    value: Element<FieldValue<T, P>>,
  ): Query<T, R>;
  where<P extends FieldPath<T> | OwnField>(
    field: P,
    op: 'array-contains-any',
    values: readonly Element<FieldValue<T, P>>[],
  ): Query<T, R>;
  /** Adds a sort field; earlier ones take precedence. Excludes records without the field. */
  orderBy(field: FieldPath<T> | OwnField, direction?: 'asc' | 'desc'): Query<T, R>;
  /** Page size. Default: 25; at most 500. */
  limit(records: number): Query<T, R>;
  /** Starts after the `next_cursor` of a page, or after one value for each `orderBy`; `undefined`: from the beginning. */
  startAfter(place: string | readonly unknown[] | undefined): Query<T, R>;
}

interface QuerySpec {
  where: Condition[];
  orderBy?: { field: string; direction: string }[];
  limit?: number;
  startAfter?: string | readonly unknown[] | undefined;
}

export function createQuery<T, R>(
  read: (spec: QuerySpec) => Promise<Page<R>>,
  newReader?: () => () => unknown,
  spec: QuerySpec = { where: [] },
): Query<T, R> {
  const extend = (more: Partial<QuerySpec>) => createQuery<T, R>(read, newReader, { ...spec, ...more });
  const found = createPageList(
    ({ cursor }) => read(cursor === undefined ? spec : { ...spec, startAfter: cursor }),
    {},
    newReader?.(),
  );
  return {
    ...found,
    where: (field: string, op: string, value: unknown) =>
      extend({ where: [...spec.where, { field, op, value }] }),
    orderBy: (field: string, direction = 'asc') =>
      extend({ orderBy: [...(spec.orderBy ?? []), { field, direction }] }),
    limit: (records: number) => extend({ limit: records }),
    startAfter: (place: string | readonly unknown[] | undefined) => extend({ startAfter: place }),
  };
}
