// A monotonic clock for time limits, independent of changes of the system time.

/** Milliseconds since an arbitrary start. */
export type Elapsed = () => number;

export const systemElapsed: Elapsed = () => performance.now();
