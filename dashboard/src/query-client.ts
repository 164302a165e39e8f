// The cache of everything read from the service. Reads are repeated only where that can help.
import { QueryClient } from '@tanstack/react-query';
import { isTransient, problemOf } from './api-problem.ts';
import { isReachable, onReachabilityChange } from './reachability.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The browser's own idea of being online says nothing about the service.
      networkMode: 'always',
      staleTime: 10_000,
      retry: (failures, error) => failures < 2 && isTransient(problemOf(error)),
      retryDelay: (failures, error) =>
        1_000 * Math.min(problemOf(error).retryAfterSeconds ?? 2 ** failures, 10),
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

onReachabilityChange(() => {
  if (isReachable()) void queryClient.refetchQueries({ type: 'active' });
});
