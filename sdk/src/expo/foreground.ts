// Tells a client that the app is in the foreground again.

/** The used subset of React Native's `AppState`. */
export interface AppStateSource {
  /** Calls `listener` with the new state after each change. */
  addEventListener(
    type: 'change',
    listener: (state: string) => void,
  ): {
    /** Removes the listener. */
    remove(): void;
  };
}

/**
 * For the option `wakeOn`: when the app comes to the foreground, the client reads a storage that was locked, sends again what
 * had no response, and asks whether the service is reachable.
 *
 * @example
 * const client = createClient({ baseUrl, appKey, storage, wakeOn: foreground(AppState) });
 */
export function foreground(appState: AppStateSource): (wake: () => void, signal: AbortSignal) => void {
  return (wake, signal) => {
    const subscription = appState.addEventListener('change', (state) => {
      if (state === 'active') wake();
    });
    signal.addEventListener('abort', () => subscription.remove());
  };
}
