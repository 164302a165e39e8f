// What was opened is closed in the reverse order, all of it, also where one of them fails to close.

export type Closing = {
  add(close: () => Promise<void>): void;
  /** Works once; rejects with the first failure, after everything has been tried. */
  close(): Promise<void>;
};

export function closing(): Closing {
  const open: (() => Promise<void>)[] = [];
  return {
    add: (close) => void open.push(close),
    async close() {
      const failures: unknown[] = [];
      for (const closeOne of open.splice(0).reverse()) {
        await closeOne().catch((error) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
