// The persisted value under one key of the app's storage: `{"d": device token, "r": refresh token, "u": uid, "i": session,
// "n": refreshes}`. Only the device token remains after a sign-out. The end tells the values of a session apart: `webStorage`
// shows it to other tabs.
import { FoyerError } from '../errors.js';
import type { SdkEvent } from '../events.js';
import type { TokenAnswer } from '../generated/models.js';
import { bounded } from '../http/bounded.js';
import { parsed } from '../http/json.js';
import type { Core, Stored } from './core.js';

/** Time limit of a storage operation. */
const storageMs = 3_000;
/** The length of a stored value: one that replaces another fits into a full storage. */
const storedLength = 256;

export function newSession({ refresh_token, user }: TokenAnswer): Stored {
  return { refreshToken: refresh_token, uid: user.uid, id: Math.random(), refreshes: 0 };
}

/** Runs one storage operation with a time limit; reports a failure and throws it as `client/storage-unavailable`. */
export async function access<T>(
  { emit }: Core,
  operation: Extract<SdkEvent, { type: 'storage-error' }>['operation'],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await bounded(work, storageMs);
  } catch (cause) {
    // The message of the cause is left out, since it may contain the value.
    const name = String((cause as Error | null)?.name);
    emit({ type: 'storage-error', operation, name });
    throw new FoyerError('client/storage-unavailable', name, { cause });
  }
}

type Value = Record<'r' | 'u' | 'd', string | null | undefined> & Record<'i' | 'n', number | undefined>;

/** `onValue` receives the value even after the read timed out. */
export function readStored(core: Core, onValue?: (stored: Stored | null) => void): Promise<Stored | null> {
  return access(core, 'read', async () => {
    const { r, u, i, n = 0, d } = parsed<Partial<Value>>(await core.tokenStorage.get(core.storageKey));
    if (d) core.device = d;
    const stored = typeof r === 'string' && u ? { refreshToken: r, uid: u, id: i, refreshes: n } : null;
    onValue?.(stored);
    return stored;
  });
}

/** Writes in call order; `null` removes the session. */
export function writeStored(core: Core, stored: Stored | null): Promise<void> {
  core.latest = stored;
  const own = core.lastWrite.then(() => access(core, 'write', () => put(core)));
  core.lastWrite = own.catch(() => {});
  return own;
}

async function put(core: Core): Promise<void> {
  const value = latestValue(core);
  const { tokenStorage, storageKey, emit } = core;
  const { persistent } = tokenStorage;
  if (value) await tokenStorage.set(storageKey, value);
  else await tokenStorage.remove(storageKey);
  if (persistent && !tokenStorage.persistent) emit({ type: 'memory-storage' });
  // A write that completes after its timeout must not undo a later one, such as a sign-out.
  if (value !== latestValue(core)) await put(core);
}

function latestValue({ latest, device: d }: Core): string | null {
  const { refreshToken: r, uid: u, id: i, refreshes: n } = latest ?? ({} as Partial<Stored>);
  const value: Value = { d, r, u, i, n };
  // White space before JSON has no meaning; the end of a value tells it apart.
  return r || d ? JSON.stringify(value).padStart(storedLength) : null;
}
