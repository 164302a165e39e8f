// The concurrency limits of queries and lists of records.
import { concurrencyLimit } from '../../lib/concurrency-limit.js';

/** What a read of records may use. */
export type ReadResources = {
  concurrency: ReturnType<typeof concurrencyLimits>;
  /** Waiting clients are scheduled round robin by network; null for the app's backend. */
  network: string | null;
  /** Call it as soon as the bytes are known; throws `request/unavailable` when the memory budget is exhausted. */
  reserve(bytes: number): void;
};

/** The embedded database has a single connection, which a running query blocks for all other requests. */
export function concurrencyLimits(kind: 'embedded' | 'postgresql') {
  const [many, few] = kind === 'embedded' ? [1, 1] : [4, 2];
  return {
    /** For the first part of a query; most queries finish within it. */
    acquireShort: concurrencyLimit({ concurrent: many, waiting: 1_000, code: 'data/query-timeout' }),
    /** For the rest of a long query. */
    acquireLong: concurrencyLimit({ concurrent: few, waiting: 20, code: 'data/query-timeout' }),
    /** For a page of a list. */
    acquireList: concurrencyLimit({ concurrent: many, waiting: 1_000, code: 'request/unavailable' }),
  };
}
