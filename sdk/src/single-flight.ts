// Single flight: concurrent callers share one run and its outcome.

export interface SingleFlight<T> {
  join(): Promise<T>;
  /** Makes the next caller start a new run; current callers still receive the old run's outcome. */
  forget(): void;
}

export function singleFlight<T>(run: () => Promise<T>): SingleFlight<T> {
  let flight: Promise<T> | undefined;
  return {
    join() {
      if (flight) return flight;
      const own = run().finally(() => {
        if (flight === own) flight = undefined;
      });
      flight = own;
      return own;
    },
    forget() {
      flight = undefined;
    },
  };
}
