// Runs expensive synchronous work one piece per turn of the event loop, in the order of arrival: the requests that arrive
// meanwhile are answered between two pieces, and not after all of them.

/** Runs all expensive work of the process together: large bodies, and the parts of uploads. The work must not throw. */
export const inTurn = onePerTurn();

export function onePerTurn(): (work: () => void) => void {
  const waiting: (() => void)[] = [];

  function runNext(): void {
    // Scheduled first, so that no exception of the work stops the others.
    if (waiting.length > 1) setImmediate(runNext);
    waiting.shift()?.();
  }

  return (work) => {
    waiting.push(work);
    if (waiting.length === 1) setImmediate(runNext);
  };
}
