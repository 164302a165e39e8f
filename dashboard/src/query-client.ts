// The cache of everything read from the service. Reads are repeated only where that can help.
import { MutationCache, QueryClient } from '@tanstack/react-query';
import { isTransient, problemOf } from './api-problem.ts';
import { isReachable, onReachabilityChange } from './reachability.ts';

// What a member changes may be part of anything that was read before: a page that is opened next reads it again. So it is
// after a failure, since a call may have taken effect without an answer.
const markStale = () => queryClient.invalidateQueries({ refetchType: 'none' });

export const queryClient = new QueryClient({
  mutationCache: new MutationCache({ onSuccess: markStale, onError: markStale }),
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
