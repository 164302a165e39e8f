// The persisted value under one key of the app's storage: `{"r": refresh token, "u": uid, "i": session, "n": refreshes,
// "d": device token}`. Only the device token remains after a sign-out.
import { bounded } from './bounded.js';
import { FoyerError } from './errors.js';
import type { Emit, SdkEvent } from './events.js';
import type { TokenAnswer } from './generated/models.js';
import type { TokenStorage } from './storage.js';

/** Time limit of a storage operation. */
const storageMs = 3_000;

export interface Stored {
  refreshToken: string;
  uid: string;
  /** Tells the sessions of this device apart. */
  id: number | undefined;
  /** Number of refreshes, by which tabs recognize the newest token. */
  serial: number;
}

export function newSession({ refresh_token, user }: TokenAnswer): Stored {
  return { refreshToken: refresh_token, uid: user.uid, id: Math.random(), serial: 0 };
}

export interface Vault {
  readonly key: string;
  /** The device token, from the storage or a later response; included in every write. */
  device?: string | undefined;
  /** `onValue` receives the value even after the read timed out. */
  read(onValue?: (stored: Stored | null) => void): Promise<Stored | null>;
  /** Writes in call order; `null` removes the session. */
  write(stored: Stored | null): Promise<void>;
}

/** Runs one storage operation with a time limit; reports a failure and throws it as `client/storage-unavailable`. */
export function storageAccess(emit: Emit) {
  return async <T>(
    operation: Extract<SdkEvent, { type: 'storage-error' }>['operation'],
    work: () => Promise<T>,
  ): Promise<T> => {
    try {
      return await bounded(work, storageMs);
    } catch (cause) {
      emit({ type: 'storage-error', operation, name: String((cause as Error | null)?.name) });
      throw new FoyerError('client/storage-unavailable', 'The storage cannot be reached.', { cause });
    }
  };
}

type Value = { r?: string; u?: string; i?: number; n?: number; d?: string };

export function createVault(storage: TokenStorage, appKey: string, emit: Emit): Vault {
  const key = `foyer.${appKey.replace(/[^A-Za-z0-9._-]/g, '_')}`;
  let last: Promise<unknown> = Promise.resolve();
  let latest: Stored | null;
  let writes = 0;

  async function put(stored: Stored | null): Promise<void> {
    const d = vault.device;
    if (!stored && !d) return storage.remove(key);
    await storage.set(
      key,
      JSON.stringify({ r: stored?.refreshToken, u: stored?.uid, i: stored?.id, n: stored?.serial, d }),
    );
  }

  const access = storageAccess(emit);

  const vault: Vault = {
    key,
    read: (onValue) =>
      access('read', async () => {
        const { r, u, i, n = 0, d } = parsed<Value>(await storage.get(key), {});
        if (d) vault.device = d;
        const stored = typeof r === 'string' && u ? { refreshToken: r, uid: u, id: i, serial: n } : null;
        onValue?.(stored);
        return stored;
      }),
    write(stored) {
      const number = ++writes;
      latest = stored;
      const own = last.then(async () => {
        let timedOut = false;
        const writeStored = async () => {
          await put(stored);
          // A write that completes after its timeout must not undo a later one, such as a sign-out.
          if (timedOut && number !== writes) await put(latest);
        };
        try {
          await access('write', writeStored);
        } catch (error) {
          timedOut = true;
          throw error;
        }
      });
      last = own.catch(() => {});
      return own;
    },
  };
  return vault;
}

/** Ignores values of a foreign format. */
export function parsed<T extends object>(text: string | null, fallback: T): T {
  try {
    return JSON.parse(text!) ?? fallback;
  } catch {
    return fallback;
  }
}
