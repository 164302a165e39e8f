// Closes resources in reverse order, and continues after a failure.

export type Closing = {
  add(close: () => Promise<void>): void;
  /** Closes once; rejects with the first failure after all resources were closed. */
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
