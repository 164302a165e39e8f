// Closes resources in reverse order, and continues after a failure.

export function closing() {
  const open: (() => Promise<void>)[] = [];
  return {
    add: (close: () => Promise<void>) => void open.push(close),
    /** Closes once; rejects with the first failure after all resources were closed. */
    async close() {
      const failures: unknown[] = [];
      for (const closeOne of open.splice(0).reverse()) {
        await closeOne().catch((error) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
