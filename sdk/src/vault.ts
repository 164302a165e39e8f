// The one value that outlives the process, `{"r": refresh token, "u": uid, "d": device token}`, kept under one key of the
// app's storage. After a sign-out the device token alone stays.
import { bounded } from './bounded.js';
import { FoyerError } from './errors.js';
import type { Emit, SdkEvent } from './events.js';
import type { TokenStorage } from './storage.js';

/** A storage that takes longer than this counts as one that cannot be reached. */
const storageMs = 3_000;

export interface Stored {
  refreshToken: string;
  uid: string;
}

export interface Vault {
  readonly key: string;
  /** Goes with every write, as the storage had it or as an answer has brought it since. */
  device?: string | undefined;
  /** `onValue` is told of the value even if it comes after the read was given up. */
  read(onValue?: (stored: Stored | null) => void): Promise<Stored | null>;
  /** Writes in the order of the calls; `null` removes the session. */
  write(stored: Stored | null): Promise<void>;
}

/** Runs one operation of a storage: bounded in time, and a failure told and thrown as `client/storage-unavailable`. */
export function storageReach(emit: Emit) {
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

export function createVault(storage: TokenStorage, appKey: string, emit: Emit): Vault {
  const key = `foyer.${appKey.replace(/[^A-Za-z0-9._-]/g, '_')}`;
  let last: Promise<unknown> = Promise.resolve();
  let wanted: Stored | null;
  let writes = 0;

  async function put(stored: Stored | null): Promise<void> {
    const d = vault.device;
    if (!stored && !d) return storage.remove(key);
    await storage.set(key, JSON.stringify({ r: stored?.refreshToken, u: stored?.uid, d }));
  }

  const reached = storageReach(emit);

  const vault: Vault = {
    key,
    read: (onValue) =>
      reached('read', async () => {
        const { r, u, d } = parsed(await storage.get(key));
        if (d) vault.device = d;
        const stored = typeof r === 'string' && u ? { refreshToken: r, uid: u } : null;
        onValue?.(stored);
        return stored;
      }),
    write(stored) {
      const number = ++writes;
      wanted = stored;
      const own = last.then(async () => {
        let givenUp = false;
        const landing = async () => {
          await put(stored);
          // A write that lands after it was given up must not undo a later one: a sign-out would be forgotten.
          if (givenUp && number !== writes) await put(wanted);
        };
        try {
          await reached('write', landing);
        } catch (error) {
          givenUp = true;
          throw error;
        }
      });
      last = own.catch(() => {});
      return own;
    },
  };
  return vault;
}

/** Whatever else the storage holds under the key is nothing of ours. */
function parsed(text: string | null): { r?: string; u?: string; d?: string } {
  try {
    return JSON.parse(text!) ?? {};
  } catch {
    return {};
  }
}
