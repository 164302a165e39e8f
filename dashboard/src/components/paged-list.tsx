// A list that is read page by page with a cursor.
import { Button, Center, Stack } from '@mantine/core';
import {
  type InfiniteData,
  keepPreviousData,
  type QueryKey,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { LoadingRows } from './loading-rows.tsx';

export type Page<Item> = { items: Item[]; next_cursor: string | null };

type PagedQuery<Item> = UseInfiniteQueryResult<InfiniteData<Page<Item>>>;

/** The query and the options of a call that lists something. */
export type PageArguments = [page: { cursor?: string }, options: { signal: AbortSignal }];

/** A member who returns from an item within this time finds the same pages, and the place in them. */
const retentionMilliseconds = 30 * 60_000;

type PagesOptions = {
  /** For how long a list that is shown again is not read again; ten seconds by default. */
  staleTime?: number;
};

/** The rows of an earlier key stay until those of the new key are there. */
export function usePages<Item>(
  queryKey: QueryKey,
  list: (...page: PageArguments) => Promise<Page<Item>>,
  options: PagesOptions = {},
): PagedQuery<Item> {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => list(pageParam === null ? {} : { cursor: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    gcTime: retentionMilliseconds,
    ...options,
  });
}

type Props<Item> = {
  query: PagedQuery<Item>;
  empty: ReactNode;
  loading?: ReactNode;
  children: (items: Item[]) => ReactNode;
};

/** The items one below the other. */
export function PagedStack<Item>({
  children,
  ...list
}: Omit<Props<Item>, 'children'> & { children: (item: Item) => ReactNode }) {
  return (
    <PagedList {...list}>
      {(items) => <Stack gap="sm">{items.map((item) => children(item))}</Stack>}
    </PagedList>
  );
}

export function PagedList<Item>({ query, empty, loading = <LoadingRows />, children }: Props<Item>) {
  const { data, error, isFetching, isPlaceholderData, isFetchNextPageError } = query;
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  if (error && items.length === 0) {
    return <ErrorState error={error} onRetry={() => void query.refetch()} retrying={isFetching} />;
  }
  // That an earlier search found nothing says nothing about this one, and a search that has failed does not go back to
  // the rows of an earlier one while it is tried again.
  const isOfEarlierKey = isPlaceholderData && (items.length === 0 || query.errorUpdateCount > 0);
  if (!data || isOfEarlierKey) return loading;
  if (items.length === 0) return empty;
  return (
    <Stack gap="md" aria-busy={isPlaceholderData} style={{ opacity: isPlaceholderData ? 0.6 : 1 }}>
      {children(items)}
      {error && (
        <ErrorState
          error={error}
          onRetry={() => void (isFetchNextPageError ? query.fetchNextPage() : query.refetch())}
          retrying={isFetching}
        />
      )}
      {query.hasNextPage && !error && (
        <Center>
          <Button
            variant="default"
            onClick={() => void query.fetchNextPage()}
            loading={query.isFetchingNextPage}
            disabled={isPlaceholderData}
          >
            Load more
          </Button>
        </Center>
      )}
    </Stack>
  );
}
