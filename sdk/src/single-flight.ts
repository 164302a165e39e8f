// Single flight: concurrent callers share one run and its outcome.

export function singleFlight<T>(run: () => Promise<T>): () => Promise<T> {
  let flight: Promise<T> | undefined;
  return () => {
    flight ??= run().finally(() => {
      flight = undefined;
    });
    return flight;
  };
}
