// A browser has one request for a passkey at a time. That of a button comes first: it interrupts the one that waits in the
// suggestions of a field, which continues unless the user has signed in.
import type { Client } from '../api.js';
import { unlessAborted } from '../http/bounded.js';

/** The last request of a button. */
let dialog: Promise<unknown> | undefined;
/** Interrupts the request that waits, if there is one. */
let interrupt = () => {};
/** Ends it for good: another one takes its place. */
let replace = () => {};

export function inDialog<T>(work: () => Promise<T>): Promise<T> {
  const own = work();
  dialog = own.catch(() => {});
  interrupt();
  return own;
}

/**
 * Runs `ask` until it returns: again when `turn` was aborted by a button, or by `ask` itself because its challenge expires. Rejects
 * with `client/aborted` when the caller aborts or the user signs in otherwise.
 */
export async function untilChosen<T>(
  { auth }: Client,
  outer: AbortSignal | undefined,
  ask: (turn: AbortController) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const end = () => ended.abort();
  replace();
  replace = end;
  const unsubscribe = auth.onStateChange(({ status }) => {
    if (status === 'signedIn') end();
  });
  outer?.addEventListener('abort', end);
  if (outer?.aborted) end();
  try {
    for (;;) {
      // Another dialog may open while it waits for one.
      let closed: typeof dialog;
      do {
        closed = dialog;
        await unlessAborted(Promise.resolve(closed), ended.signal);
      } while (closed !== dialog);
      const turn = new AbortController();
      interrupt = () => turn.abort();
      ended.signal.addEventListener('abort', interrupt);
      try {
        return await ask(turn);
      } catch (error) {
        if (!turn.signal.aborted || ended.signal.aborted) throw error;
      }
    }
  } finally {
    unsubscribe();
    outer?.removeEventListener('abort', end);
  }
}
