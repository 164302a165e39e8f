// Ends sessions at the service. One whose end is not confirmed is remembered apart from the session in use, and ended at
// the next chance: otherwise it would live for 90 more days.
import { type ActiveSession, freshToken, setAccess } from './active-session.js';
import type { CallOptions } from './api.js';
import type { FoyerError } from './errors.js';
import type { Emit } from './events.js';
import type { TokenAnswer } from './generated/models.js';
import type { Send } from './http.js';
import { isDenied, refreshOnce, refusesToken } from './refresh.js';
import { isTransient } from './retry.js';
import type { TokenStorage } from './storage.js';
import { newSession, parsed, type Stored, storageAccess, type Vault } from './vault.js';

export type Ending = Stored &
  Pick<Partial<ActiveSession>, 'access' | 'user'> & {
    /** The user's other sessions are to be ended too. */
    everywhere?: boolean | undefined;
    /** The pending attempt, shared by its callers. */
    ending?: Promise<boolean>;
  };

export interface PendingSignOuts {
  /** False when nothing is to be ended, or what remains has to wait for the next start. */
  isPending(): boolean;
  /** Remembers a session that `end` is called for next. */
  add(session: Ending, everywhere?: boolean): void;
  /** Resolves with true when the service confirmed the end of the session; never rejects. */
  end(session: Ending, options?: CallOptions): Promise<boolean>;
  /** Ends the session of a response that came too late to be used. */
  discard(answer: TokenAnswer): void;
  /** Ends what the storage remembers. */
  restore(): Promise<void>;
  retry(): Promise<unknown>;
}

interface Parts {
  storage: TokenStorage;
  vault: Vault;
  send: Send;
  emit: Emit;
  onFailure: () => void;
}

export function createPendingSignOuts({ storage, vault, send, emit, onFailure }: Parts): PendingSignOuts {
  const key = `${vault.key}.out`;
  const access = storageAccess(emit);
  const pending = new Set<Ending>();
  let last: Promise<unknown> = Promise.resolve();

  const read = async (): Promise<Set<string>> => new Set(parsed<string[]>(await storage.get(key), []));

  /** Replaces a token in the storage. A storage that fails is reported; this client still remembers the session. */
  function replace(token: string, successor?: string): void {
    const work = () =>
      access('write', async () => {
        const tokens = await read();
        tokens.delete(token);
        if (successor) tokens.add(successor);
        await (tokens.size ? storage.set(key, JSON.stringify([...tokens])) : storage.remove(key));
      }).catch(() => {});
    last = last.then(work);
  }

  async function attempt(session: Ending, options: CallOptions = {}): Promise<boolean> {
    const { everywhere } = session;
    const end = (token: string) =>
      send<void>(everywhere ? 'POST /auth/sign-out-all' : 'POST /auth/sign-out', {}, options, token);
    const endRenewed = async () => {
      const answer = await refreshOnce(send, session.refreshToken, options.signal);
      // The token is spent now; after 30 seconds it would be taken for a stolen one.
      replace(session.refreshToken, answer.refresh_token);
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
      const { code } = error as FoyerError;
      if (!isDenied(error)) {
        if (!isTransient(error as FoyerError) && code !== 'client/aborted') pending.delete(session);
        onFailure();
        return false;
      }
      // The service already revoked the session; with `everywhere`, others may remain.
      confirmed = !everywhere;
    }
    pending.delete(session);
    replace(session.refreshToken);
    return confirmed;
  }

  const signOuts: PendingSignOuts = {
    isPending: () => pending.size > 0,
    add(session, everywhere) {
      session.everywhere = everywhere;
      pending.add(session);
      replace('', session.refreshToken);
    },
    end(session, options) {
      session.ending ??= attempt(session, options).finally(() => {
        delete session.ending;
      });
      return session.ending;
    },
    discard(answer) {
      const session: Ending = newSession(answer);
      setAccess(session, answer);
      signOuts.add(session);
      void signOuts.end(session);
    },
    async restore() {
      const tokens = await access('read', read);
      for (const refreshToken of tokens) {
        pending.add({ refreshToken, uid: '', id: undefined, serial: 0 });
      }
      await signOuts.retry();
    },
    retry: () => Promise.all([...pending].map((session) => signOuts.end(session))),
  };
  return signOuts;
}
