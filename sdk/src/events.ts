// The events that the SDK reports. No event contains a token, a password, an email or an id.

export type SdkEvent =
  /** A request completed or failed (`status` 0). `path` is the route template, such as `/me/sessions/:id`. */
  | {
      type: 'request';
      method: string;
      path: string;
      status: number;
      durationMs: number;
      requestId?: string | undefined;
    }
  /** A request will be retried after `delayMs`. */
  | { type: 'retry'; code: string; attempt: number; delayMs: number }
  /** A renewal ended, by a refresh or by another tab's token. `code` is absent when it succeeded. */
  | { type: 'refresh'; code?: string | undefined; durationMs: number }
  /** A storage operation failed; `name` is its error's name, such as `QuotaExceededError`. */
  | { type: 'storage-error'; operation: 'read' | 'write'; name: string }
  /**
   * The session ends with the page, process or worker: there is no default storage here and none was given, the browser
   * blocks the storage, or a new session does not fit into it.
   */
  | { type: 'memory-storage' }
  /** The storage lock was not granted in time, or failed; the operation continued without it. */
  | { type: 'lock-missed' }
  /** A listener threw or rejected. */
  | { type: 'listener-error'; error: unknown };

export type Emit = (event: SdkEvent) => void;
