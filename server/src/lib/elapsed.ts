// Time that passes, for limits on how long a piece of work may take: it goes on evenly, whatever is done to the clock.

/** Milliseconds since some moment. */
export type Elapsed = () => number;

export const systemElapsed: Elapsed = () => performance.now();
