// Turns at the one connection of the embedded database: first come, first served.

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
    return end;
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
