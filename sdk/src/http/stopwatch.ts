// Elapsed time on this device. Server times are never compared with the device's clock, which may be wrong.

/**
 * Starts a stopwatch and returns a function for the elapsed milliseconds: the larger of the wall clock, which can be
 * set back, and the monotonic clock, which stops while the device sleeps.
 */
export function stopwatch(): () => number {
  const wall = Date.now();
  const monotonic = monotonicMs();
  return () => Math.max(Date.now() - wall, monotonicMs() - monotonic);
}

function monotonicMs(): number {
  return globalThis.performance?.now() ?? 0;
}
