// The loading, error and loaded states of one read. Data that was read before stays while it is read again.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { LoadingRows } from './loading-rows.tsx';

type Props<Data> = {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch' | 'isFetching'>;
  /** Shown while there is no data. */
  loading?: ReactNode;
  children: (data: Data) => ReactNode;
};

export function QueryView<Data>({ query, loading = <LoadingRows />, children }: Props<Data>) {
  const { data, error, refetch, isFetching } = query;
  if (data !== undefined) return children(data);
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />;
  return loading;
}
