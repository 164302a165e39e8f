// The query of the daily numbers: begun by the route, so that they may be there when the page is first drawn.
import { queryOptions } from '@tanstack/react-query';
import { apiOf } from './api.ts';
import { earlyOr } from './early-reads.ts';
import { appQuery } from './member.ts';
import { queryClient } from './query-client.ts';
import { readStats } from './read-stats.ts';

export const statsQuery = (appId: string, days: string) =>
  queryOptions({
    queryKey: [appId, 'stats', days],
    queryFn: ({ signal }) =>
      earlyOr(`stats ${appId} ${days}`, async () => {
        const app = await queryClient.ensureQueryData(appQuery(appId));
        return readStats(apiOf(app.app_key), days, signal);
      }),
  });
