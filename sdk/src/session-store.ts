// The session on this device: restores it at startup, refreshes it with single flight, and adopts changes of other
// tabs. Only the user or the service ends it; a network failure does not.

import { type ActiveSession, type Bearer, freshToken, setAccess } from './active-session.js';
import type { AuthState, SignOutReason } from './api.js';
import type { StateStream } from './auth-state.js';
import { abortedError, pause, unlessAborted } from './bounded.js';
import { FoyerError, isFoyerError } from './errors.js';
import type { Emit } from './events.js';
import type { TokenAnswer, User } from './generated/models.js';
import type { Send } from './http.js';
import { withLock } from './lock.js';
import type { V1Exchange } from './migrate-v1.js';
import { isDenied, refreshTokens } from './refresh.js';
import { singleFlight } from './single-flight.js';
import { stopwatch } from './stopwatch.js';
import type { TokenStorage } from './storage.js';
import type { Stored, Vault } from './vault.js';

export interface BearerOptions {
  signal?: AbortSignal | undefined;
  /** The bearer token that a response rejected; returns a newer one, refreshing if necessary. */
  refused?: Bearer;
  forceRefresh?: boolean | undefined;
}

export interface SessionStore {
  ready(): Promise<AuthState>;
  bearer(options: BearerOptions): Promise<Bearer>;
  /** Starts a sign-in. The returned function activates its session, unless a sign-out came in between. */
  beginSignIn(): (answer: TokenAnswer) => Promise<void>;
  /** Signs out locally, synchronously up to the first wait. `failure`: the storage still contains the token. */
  signOut(reason: SignOutReason): Promise<{ session: Stored | null; failure?: unknown }>;
  /** Merges data of a response into the state. */
  merge(update: { user?: User; online?: boolean }): void;
  close(): void;
}

interface Parts {
  storage: TokenStorage;
  vault: Vault;
  state: StateStream;
  send: Send;
  emit: Emit;
  refreshMarginMs: number;
  v1?: V1Exchange | undefined;
}

export function createSessionStore({
  storage,
  vault,
  state,
  send,
  emit,
  refreshMarginMs,
  v1,
}: Parts): SessionStore {
  let active: ActiveSession | null = null;
  let signOuts = 0;
  let closed = false;

  const restore = singleFlight(async () => {
    await vault.read((stored) => {
      if (!isLoading()) return;
      if (stored) activate(stored);
      else if (!v1) endSession();
    });
    if (v1 && isLoading()) await withSessionLock(() => exchangeV1Token(v1));
    else void v1?.clear();
  });
  const refresh = singleFlight(renewActive);
  const withSessionLock = <T>(work: () => Promise<T>) => withLock(storage, vault.key, work, emit);

  const isLoading = () => state.current.status === 'loading';

  function change(session: ActiveSession | null, next: AuthState): void {
    active?.ended.abort();
    refresh.forget();
    active = session;
    state.set(next);
  }

  function activate({ refreshToken, uid }: Stored, answer?: TokenAnswer): void {
    const session: ActiveSession = { refreshToken, uid, ended: new AbortController() };
    if (answer) setAccess(session, answer);
    change(session, { status: 'signedIn', uid, user: answer?.user ?? null, online: true });
  }

  function endSession(reason?: SignOutReason): void {
    if (state.current.status !== 'signedOut')
      change(null, { status: 'signedOut', ...(reason && { reason }) });
  }

  function merge(update: { user?: User; online?: boolean }): void {
    const { current } = state;
    const isCurrent = current.status === 'signedIn' && (!update.user || update.user.uid === current.uid);
    if (isCurrent) state.set({ ...current, ...update });
  }

  function assertActive(session: ActiveSession | null): asserts session is ActiveSession {
    if (!session || session !== active) throw new FoyerError('auth/invalid-token', 'Not signed in.');
  }

  function assertOpen(): void {
    if (closed) throw abortedError();
  }

  async function renewActive(): Promise<void> {
    const session = active;
    assertActive(session);
    const { backoff } = session;
    if (backoff && backoff.ageMs() < backoff.error.retryAfterMs!) throw backoff.error;
    const elapsedMs = stopwatch();
    let code: string | undefined;
    try {
      await (session.unsaved ? save(session) : withSessionLock(() => renew(session)));
    } catch (error) {
      if (!isFoyerError(error)) throw error;
      code = error.code;
      if (session === active && code !== 'client/storage-unavailable') merge({ online: false });
      if (error.retryAfterMs) session.backoff = { error, ageMs: stopwatch() };
      throw error;
    } finally {
      emit({ type: 'refresh', code, durationMs: elapsedMs() });
    }
  }

  async function renew(session: ActiveSession): Promise<void> {
    // Another tab may have spent this token while this one waited for the lock.
    adopt(session, await vault.read());
    for (let adopted = false; ; adopted = true) {
      const spent = session.refreshToken;
      try {
        return await storeTokens(
          session,
          spent,
          await refreshTokens(send, spent, emit, session.ended.signal),
        );
      } catch (error) {
        assertActive(session);
        if (!isDenied(error)) throw error;
        adopt(session, await vault.read());
        if (session.refreshToken === spent) {
          endSession('revoked');
          // A token that cannot be removed is revoked; the next start detects that.
          await vault.write(null).catch(() => {});
          throw error;
        }
        if (adopted) throw error;
      }
    }
  }

  async function exchangeV1Token(exchange: V1Exchange): Promise<void> {
    const before = signOuts;
    // Another tab may have exchanged the token while this one waited for the lock.
    if (await adoptStored(exchange)) return;
    const outcome = await exchange.run();
    if (outcome === null || typeof outcome === 'string') {
      // Without a lock another process may have exchanged the token: its session is stored, or about to be.
      if (outcome !== 'deferred' && (await adoptStored(exchange))) return;
      if (outcome === 'rejected') {
        await pause(1_000);
        if (await adoptStored(exchange)) return;
      }
      if (isLoading()) endSession(outcome === 'rejected' ? 'migration-rejected' : undefined);
      if (outcome) await exchange.finish(outcome);
      return;
    }
    // Stored even after `dispose`: the v1 token is spent, and the next client has no other.
    if (signOuts !== before) {
      void send('POST /auth/sign-out', {}, {}, outcome.access_token).catch(() => {});
    } else {
      activate({ refreshToken: outcome.refresh_token, uid: outcome.user.uid }, outcome);
      // The v1 token is spent, so a session that cannot be stored now is stored before its next use.
      const session = active!;
      session.unsaved = true;
      await save(session).catch(() => {});
    }
    await exchange.finish('migrated');
  }

  /** Adopts the session that another tab or process exchanged for the v1 token; false when there is none. */
  async function adoptStored(exchange: V1Exchange): Promise<boolean> {
    const stored = await vault.read();
    if (!stored) return false;
    if (isLoading()) activate(stored);
    await exchange.clear();
    return true;
  }

  /** Adopts what another tab or process stored. */
  function adopt(session: ActiveSession, stored: Stored | null): void {
    assertActive(session);
    if (!stored) endSession('other-context');
    else if (stored.uid !== session.uid) activate(stored);
    else session.refreshToken = stored.refreshToken;
    assertActive(session);
  }

  async function storeTokens(session: ActiveSession, spent: string, answer: TokenAnswer): Promise<void> {
    const stored = await vault.read().catch(() => undefined);
    // If the storage cannot be read, the write below decides.
    if (stored !== undefined) adopt(session, stored);
    assertActive(session);
    setAccess(session, answer);
    // A token that another tab stored meanwhile is at least as new.
    if (session.refreshToken === spent) {
      session.refreshToken = answer.refresh_token;
      session.unsaved = true;
      await save(session);
    }
    merge({ user: answer.user, online: true });
  }

  /** A new access token is not used before its refresh token is stored. */
  async function save(session: ActiveSession): Promise<void> {
    await vault.write(session);
    session.unsaved = false;
  }

  async function ready(): Promise<AuthState> {
    assertOpen();
    if (state.current.status === 'loading') await restore.join();
    return state.current;
  }

  restore.join().catch(() => {}); // The first call that requires the session retries.

  return {
    ready,
    async bearer({ signal, refused, forceRefresh }) {
      await unlessAborted(ready(), signal);
      const session = refused ? refused.session : active;
      assertActive(session);
      const must = forceRefresh || session.unsaved || (refused && refused.token === session.access?.token);
      if (must || !freshToken(session, refreshMarginMs)) {
        try {
          await unlessAborted(refresh.join(), signal);
        } catch (error) {
          // An early refresh may fail harmlessly, unless the new token is not stored.
          if (must || signal?.aborted || session.unsaved || !freshToken(session)) throw error;
        }
      }
      assertActive(session);
      return { token: session.access!.token, session };
    },
    beginSignIn() {
      const before = signOuts;
      const assertWanted = () => {
        assertOpen();
        if (signOuts !== before) throw abortedError();
      };
      assertWanted();
      return async (answer) => {
        const stored = { refreshToken: answer.refresh_token, uid: answer.user.uid };
        await withSessionLock(async () => {
          assertWanted();
          await vault.write(stored);
        });
        assertWanted();
        activate(stored, answer);
      };
    },
    async signOut(reason) {
      assertOpen();
      const unread = state.current.status === 'loading';
      let session: Stored | null = active;
      signOuts++;
      endSession(reason);
      void v1?.clear();
      if (unread) session = await vault.read().catch(() => null);
      return vault.write(null).then(
        () => ({ session }),
        (failure) => ({ session, failure }),
      );
    },
    merge,
    close() {
      closed = true;
      state.close();
    },
  };
}
