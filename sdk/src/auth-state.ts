// The auth state and its listeners. Each change is delivered once, in order, on a microtask. Listeners are not awaited,
// so a listener may call the client, hang or throw.
import type { AuthState } from './api.js';
import type { Emit } from './events.js';

export type StateListener = (state: AuthState, previous: AuthState) => void;

export interface StateStream {
  readonly current: AuthState;
  set(next: AuthState): void;
  listen(listener: StateListener): () => void;
  /** Removes all listeners. */
  close(): void;
}

export function createStateStream(emit: Emit): StateStream {
  let current: AuthState = { status: 'loading' };
  const listeners = new Map<object, StateListener>();

  async function notify(key: object, state: AuthState, previous: AuthState): Promise<void> {
    await undefined;
    try {
      // Awaits async listeners, so that their rejections are reported.
      await listeners.get(key)?.(state, previous);
    } catch (error) {
      emit({ type: 'listener-error', error });
    }
  }

  return {
    get current() {
      return current;
    },
    set(next) {
      if (JSON.stringify(next) === JSON.stringify(current)) return;
      const previous = current;
      current = next;
      for (const key of listeners.keys()) void notify(key, next, previous);
    },
    listen(listener) {
      const key = {};
      listeners.set(key, listener);
      void notify(key, current, current);
      return () => void listeners.delete(key);
    },
    close: () => listeners.clear(),
  };
}
