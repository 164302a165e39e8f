// The loading, error and loaded states of one read. Data that was read before stays while it is read again.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { LoadingRows } from './loading-rows.tsx';
import { PageHeader } from './page-header.tsx';

type Props<Data> = {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch' | 'isFetching'>;
  /** The title of the page until the data brings its own, or if it cannot be read. */
  title?: string;
  /** Shown while there is no data. */
  loading?: ReactNode;
  children: (data: Data) => ReactNode;
};

export function QueryView<Data>({ query, title, loading = <LoadingRows />, children }: Props<Data>) {
  const { data, error, refetch, isFetching } = query;
  if (data !== undefined) return children(data);
  return (
    <>
      {title !== undefined && <PageHeader title={title} />}
      {error ? <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} /> : loading}
    </>
  );
}
