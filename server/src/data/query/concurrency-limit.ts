// The concurrency limits of queries and lists of records.
import { type Acquire, concurrencyLimit } from '../../lib/concurrency-limit.js';

export type ConcurrencyLimits = {
  /** For the first part of a query; most queries finish within it. */
  acquireShort: Acquire;
  /** For the rest of a long query. */
  acquireLong: Acquire;
  /** For a page of a list. */
  acquireList: Acquire;
};

/** What a read of records may use. */
export type ReadResources = {
  concurrency: ConcurrencyLimits;
  /** Call before reading this many bytes; throws `request/unavailable` when the memory budget is exhausted. */
  reserve(bytes: number): void;
};

/** The embedded database has a single connection, which a running query blocks for all other requests. */
export function concurrencyLimits(kind: 'embedded' | 'postgresql'): ConcurrencyLimits {
  const embedded = kind === 'embedded';
  return {
    acquireShort: concurrencyLimit({
      concurrent: embedded ? 1 : 4,
      waiting: 1_000,
      code: 'data/query-timeout',
    }),
    acquireLong: concurrencyLimit({ concurrent: embedded ? 1 : 2, waiting: 20, code: 'data/query-timeout' }),
    acquireList: concurrencyLimit({
      concurrent: embedded ? 1 : 4,
      waiting: 1_000,
      code: 'request/unavailable',
    }),
  };
}
