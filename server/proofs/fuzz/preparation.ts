// Prepares the rows that a round of the fuzzer needs. Earlier input may have changed the app so that it refuses to create them;
// a new app is then the way out, but not from an answer of 500 or more, which is a finding.
import type { Metrics } from '../../src/lib/metrics.js';

/** `problems` receives each such answer, also if the preparation goes on without it. */
export function preparation(metrics: Pick<Metrics, 'observe'>, problems: string[]) {
  const { observe } = metrics;
  let isPreparing = false;
  metrics.observe = (route, status, milliseconds) => {
    if (isPreparing && status >= 500) problems.push(`${route} answered ${status} while rows were prepared`);
    observe.call(metrics, route, status, milliseconds);
  };

  /** Runs `make`; when it fails, `renew` and then `make` once more. */
  return async <T>(make: () => Promise<T>, renew: () => Promise<unknown>): Promise<T> => {
    isPreparing = true;
    try {
      return await make().catch(async () => {
        await renew();
        return make();
      });
    } finally {
      isPreparing = false;
    }
  };
}
