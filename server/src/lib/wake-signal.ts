// Tells the background work of this process that a request may have left it something to do.

export type WakeSignal = {
  wake(): void;
  listen(listener: () => void): void;
};

export function wakeSignal(): WakeSignal {
  const listeners: (() => void)[] = [];
  return {
    wake() {
      for (const listener of listeners) listener();
    },
    listen: (listener) => void listeners.push(listener),
  };
}
