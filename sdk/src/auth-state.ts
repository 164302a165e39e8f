// The state that an app renders, and its listeners. A change is told once, in order, on a microtask; nothing waits for a
// listener, so that a listener may call the client, hang or throw without harm.
import type { AuthState } from './api.js';
import type { Emit } from './events.js';

export type StateListener = (state: AuthState, previous: AuthState) => void;

export interface StateStream {
  readonly current: AuthState;
  set(next: AuthState): void;
  listen(listener: StateListener): () => void;
  /** Ends all listeners. */
  close(): void;
}

export function createStateStream(emit: Emit): StateStream {
  let current: AuthState = { status: 'loading' };
  const listeners = new Map<object, StateListener>();

  async function tell(key: object, state: AuthState, previous: AuthState): Promise<void> {
    await undefined;
    try {
      // A listener may be an async function, whose failure would otherwise be nobody's.
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
      for (const key of listeners.keys()) void tell(key, next, previous);
    },
    listen(listener) {
      const key = {};
      listeners.set(key, listener);
      void tell(key, current, current);
      return () => void listeners.delete(key);
    },
    close: () => listeners.clear(),
  };
}
