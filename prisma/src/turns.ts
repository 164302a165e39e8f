// A fair lock for the one connection of the embedded database: first come, first served.

/**
 * PGlite blocks the event loop. After a call that took this long the next one waits until the loop has run: otherwise a
 * queue of long statements would delay every other request until the queue is empty.
 */
const longTurnMilliseconds = 5;

export type Turns = {
  /** Waits for the lock; the caller calls the returned function to release it. */
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
