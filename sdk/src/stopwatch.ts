// How much time has passed on this device. Server times are never compared with the device's clock, which may be wrong.

/**
 * Starts a stopwatch: the function returned gives the milliseconds since. It takes the larger of the wall clock, which
 * somebody may set back, and the monotonic clock, which stands still while the device sleeps.
 */
export function stopwatch(): () => number {
  const wall = Date.now();
  const monotonic = monotonicMs();
  return () => Math.max(Date.now() - wall, monotonicMs() - monotonic);
}

function monotonicMs(): number {
  return globalThis.performance?.now() ?? 0;
}
