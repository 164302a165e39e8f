// Joins concurrent calls: those that come while a run is in progress wait for it and start no other.

export type SingleFlight = {
  run(): Promise<void>;
  /** Null if no run is in progress. */
  readonly running: Promise<void> | null;
};

/**
 * `again` tells after each time whether to do the work once more in the same run, for calls that came too late for it. The run
 * ends at once where it returns false, so that no call comes between the two and is lost.
 */
export function singleFlight(work: () => Promise<void>, again: () => boolean = () => false): SingleFlight {
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    try {
      do await work();
      while (again());
    } finally {
      running = null;
    }
  }

  return {
    run() {
      running ??= run();
      return running;
    },
    get running() {
      return running;
    },
  };
}
