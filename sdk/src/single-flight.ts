// One run at a time: whoever asks while a run is under way gets that run's outcome.

export interface SingleFlight<T> {
  join(): Promise<T>;
  /** Lets the next caller start afresh; those who already wait still get the old run's outcome. */
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
