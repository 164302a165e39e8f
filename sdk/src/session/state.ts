// The auth state and its listeners. Each change is delivered once, in order, on a microtask. Listeners are not awaited,
// so a listener may call the client, hang or throw.
import type { Auth, AuthState } from '../api.js';
import type { Core } from './core.js';

export function setState(core: Core, next: AuthState): void {
  const previous = core.authState;
  if (JSON.stringify(next) === JSON.stringify(previous)) return;
  core.authState = next;
  for (const notify of core.listeners) notify(next, previous);
}

export function listen(core: Core, listener: Parameters<Auth['onStateChange']>[0]): () => void {
  const notify = async (state: AuthState, previous: AuthState) => {
    await undefined;
    try {
      // Awaits async listeners, so that their rejections are reported.
      if (core.listeners.has(notify)) await listener(state, previous);
    } catch (error) {
      core.emit({ type: 'listener-error', error });
    }
  };
  core.listeners.add(notify);
  void notify(core.authState, core.authState);
  return () => void core.listeners.delete(notify);
}
