// What the SDK tells of its own work. No event holds a token, a password, an email or an id.

export type SdkEvent =
  /** One request was answered, or was not (`status` 0). `path` is the template, such as `/me/sessions/:id`. */
  | {
      type: 'request';
      method: string;
      path: string;
      status: number;
      durationMs: number;
      requestId?: string | undefined;
    }
  /** A request is about to be repeated. */
  | { type: 'retry'; code: string; attempt: number; delayMs: number }
  /** A refresh ended. `code` is absent when it succeeded. */
  | { type: 'refresh'; code?: string | undefined; durationMs: number }
  /** The storage refused; `name` is that of its error, such as `QuotaExceededError`. */
  | { type: 'storage-error'; operation: 'read' | 'write'; name: string }
  /** The lock was not granted in time, or failed; the refresh went on without it. */
  | { type: 'lock-missed' }
  /** A listener threw or rejected. */
  | { type: 'listener-error'; error: unknown };

export type Emit = (event: SdkEvent) => void;

/** Whatever the app does with an event must not disturb the work it tells of; a failed listener is never passed over. */
export function createEmit(onEvent: Emit | undefined): Emit {
  return (event) => {
    try {
      if (onEvent) onEvent(event);
      else if (event.type === 'listener-error') console.error(event.error);
    } catch (error) {
      console.error(error);
    }
  };
}
