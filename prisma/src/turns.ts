// Turns at the one connection of the embedded database: first come, first served.

/**
 * PGlite answers without the event loop. After a turn that took this long the next one waits until the loop has run:
 * otherwise a line of long statements would keep every request that is not in it waiting to the end of the line.
 */
const longTurnMilliseconds = 5;

export type Turns = {
  /** Waits for a turn; the caller ends it by calling what it gets. */
  take(): Promise<() => void>;
  inTurn<T>(work: () => Promise<T>): Promise<T>;
};

export function takeTurns(): Turns {
  let last = Promise.resolve();

  async function take(): Promise<() => void> {
    let end = () => {};
    const mine = new Promise<void>((resolve) => {
      end = resolve;
    });
    const before = last;
    last = before.then(() => mine);
    await before;
    const startedAt = performance.now();
    return () => {
      if (performance.now() - startedAt < longTurnMilliseconds) end();
      else setImmediate(end);
    };
  }

  return {
    take,
    async inTurn(work) {
      const end = await take();
      try {
        return await work();
      } finally {
        end();
      }
    },
  };
}
