// Ends sessions at the service. One whose end is not confirmed is remembered apart from the session in use, and ended at
// the next chance: otherwise it would live for 90 more days.
import type { CallOptions } from '../api.js';
import { type FoyerError, isFoyerError } from '../errors.js';
import type { TokenAnswer } from '../generated/models.js';
import { parsed } from '../http/json.js';
import { isTransient } from '../http/retry.js';
import { send } from '../http/send.js';
import type { Core, Ending } from './core.js';
import { withLock } from './lock.js';
import { isDenied, refreshOnce, refusesToken } from './refresh.js';
import { freshToken, setAccess } from './session.js';
import { access, newSession } from './vault.js';

/** The stored value: whether to end the user's other sessions too, by refresh token. */
type Remembered = Record<string, boolean>;

const keyOf = ({ storageKey }: Core) => `${storageKey}.out`;
const read = (core: Core) =>
  access(core, 'read', async () => parsed<Remembered>(await core.tokenStorage.get(keyOf(core))));

/** Stores a session to revoke; call `endRemotely` next. */
export function addSignOut(core: Core, session: Ending, everywhere = false): void {
  session.everywhere = everywhere;
  core.endings.add(session);
  replace(core, session, session.refreshToken);
}

/** Resolves with true when the service confirmed the end of the session; never rejects. */
export function endRemotely(core: Core, session: Ending, options: CallOptions = {}): Promise<boolean> {
  session.ending ??= attempt(core, session, options).finally(() => {
    session.ending = undefined;
  });
  return session.ending;
}

/** Ends the session of a response that came too late to be used. */
export function discard(core: Core, answer: TokenAnswer): void {
  const session: Ending = newSession(answer);
  setAccess(session, answer);
  addSignOut(core, session);
  void endRemotely(core, session);
}

/** Ends what the storage remembers. */
export async function restoreSignOuts(core: Core): Promise<void> {
  for (const [refreshToken, everywhere] of Object.entries(await read(core))) {
    core.endings.add({ refreshToken, everywhere, refreshes: 0 });
  }
  retrySignOuts(core);
}

export function retrySignOuts(core: Core): void {
  for (const session of core.endings) void endRemotely(core, session);
}

/** Replaces a session's token in the storage. When the storage fails, this client still remembers the session. */
function replace(core: Core, session: Ending, successor?: string): void {
  const { refreshToken, everywhere = false } = session;
  const key = keyOf(core);
  const work = () =>
    access(core, 'write', async () => {
      const { [refreshToken]: _, ...remembered } = await read(core);
      if (successor) remembered[successor] = everywhere;
      const value = JSON.stringify(remembered);
      await (value === '{}' ? core.tokenStorage.remove(key) : core.tokenStorage.set(key, value));
    });
  withLock(core, work, key).catch(() => {});
}

async function attempt(core: Core, session: Ending, options: CallOptions): Promise<boolean> {
  const { everywhere } = session;
  if (everywhere) await core.signingIn;
  const end = (token: string) => {
    // The user has signed in here again: the end of every session would end that one too.
    const isAll = everywhere && session.user?.uid !== core.active?.uid;
    return send<void>(core, isAll ? 'POST /auth/sign-out-all' : 'POST /auth/sign-out', {}, options, token);
  };
  const endRenewed = async () => {
    // Another tab that remembers the session has ended it, or holds a newer token: this one would be taken for a stolen one.
    if (!session.uid && (await read(core))[session.refreshToken] === undefined) return;
    const answer = await refreshOnce(core, session.refreshToken, options.signal);
    // The token is spent now; after 30 seconds it would be taken for a stolen one.
    replace(core, session, answer.refresh_token);
    session.refreshToken = answer.refresh_token;
    setAccess(session, answer);
    return end(answer.access_token);
  };
  let confirmed = true;
  try {
    // After startup there is no access token in memory, and the request requires one.
    const known = freshToken(session);
    await (known
      ? end(known).catch((error) => (refusesToken(error) ? endRenewed() : Promise.reject(error)))
      : endRenewed());
  } catch (error) {
    if (!isDenied(error)) {
      if (!isTransient(error as FoyerError) && !isFoyerError(error, 'client/aborted'))
        core.endings.delete(session);
      core.recover();
      return false;
    }
    // The service already revoked the session; with `everywhere`, others may remain.
    confirmed = !everywhere;
  }
  core.endings.delete(session);
  replace(core, session);
  return confirmed;
}
