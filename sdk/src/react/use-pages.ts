// A hook for lists that are read page by page. Each user, and each set of dependencies, has a list of its own, so that no
// render shows data of the former user and no late response arrives in the wrong list.
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { PageQuery } from '../generated/models.js';
import type { Page } from '../models.js';
import { useAuthState } from './auth-state.js';
import { useClient } from './provider.js';

/** Reads one page. `page.cursor` is undefined for the first; pass `signal` on, so that a page not needed is aborted. */
export type ReadPage<T> = (page: PageQuery, options: { signal: AbortSignal }) => PromiseLike<Page<T>>;

interface List<T> {
  /** The items of all pages read so far. */
  readonly items: readonly T[];
  /** What the last read rejected with, such as a `FoyerError`; null after a success. */
  readonly error: unknown;
  /** True before the first page has arrived, and during every further read. */
  readonly isLoading: boolean;
  /** True when there is a further page. */
  readonly hasMore: boolean;
}

export interface Pages<T> extends List<T> {
  /** Reads the next page and appends it; does nothing while another read is pending or when there is none. */
  loadMore(): Promise<void>;
  /** Reads the first page again, which replaces all items when it arrives. Never rejects: see `error`. */
  refresh(): Promise<void>;
}

/**
 * Reads a list page by page: a collection, a query, or any method of the SDK that returns a `PageList`. It starts over when
 * another user signs in, and when one of `deps` changes, which must contain every value that `read` uses. Requests of a
 * component that is unmounted are aborted.
 *
 * @example
 * const notes = collection<Note>(client, 'notes');
 * const { items, hasMore, loadMore } = usePages((page, options) =>
 *   notes.query(options).orderBy('title').startAfter(page.cursor),
 * );
 * const devices = usePages((page, options) => client.me.sessions(page, options));
 */
export function usePages<T>(read: ReadPage<T>, deps: readonly unknown[] = []): Pages<T> {
  const client = useClient();
  const state = useAuthState();
  const reader = state.status === 'signedIn' ? state.uid : state.status;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `deps` says what `read` depends on, and `reader` whose list it is.
  const list = useMemo(() => createList(read), [client, reader, ...deps]);
  // Waits until the state is known, because it determines whose list is read.
  useEffect(() => (reader === 'loading' ? undefined : list.open()), [list, reader]);
  const { loadMore, refresh } = list;
  return { ...useSyncExternalStore(list.subscribe, list.current, list.current), loadMore, refresh };
}

function createList<T>(read: ReadPage<T>) {
  let list: List<T> = { items: [], error: null, isLoading: true, hasMore: false };
  let cursor: string | null | undefined;
  let isOpen = false;
  let pending: AbortController | undefined;
  const listeners = new Set<() => void>();

  function set(next: Partial<List<T>>): void {
    list = { ...list, ...next };
    for (const notify of listeners) notify();
  }

  async function load(from?: string): Promise<void> {
    if (!isOpen) return;
    pending?.abort();
    pending = new AbortController();
    const { signal } = pending;
    if (!list.isLoading || list.error) set({ isLoading: true, error: null });
    try {
      const page = await read({ cursor: from }, { signal });
      if (signal.aborted) return;
      cursor = page.next_cursor;
      const items = from === undefined ? page.items : [...list.items, ...page.items];
      set({ items, isLoading: false, hasMore: Boolean(cursor) });
    } catch (error) {
      if (!signal.aborted) set({ error, isLoading: false });
    }
  }

  return {
    current: () => list,
    subscribe(notify: () => void) {
      listeners.add(notify);
      return () => void listeners.delete(notify);
    },
    /** Reads the first page; returns the function that stops. */
    open() {
      isOpen = true;
      void load();
      return () => {
        isOpen = false;
        pending?.abort();
      };
    },
    loadMore: async () => {
      if (!list.isLoading && cursor) await load(cursor);
    },
    refresh: () => load(),
  };
}
