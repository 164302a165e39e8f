// The session on this device: restores it at startup, refreshes it with single flight, and adopts changes of other
// tabs. Only the user or the service ends it; a network failure does not.
import type { AuthState, SignOutReason } from './api.js';
import type { StateStream } from './auth-state.js';
import { abortedError, pause, unlessAborted } from './bounded.js';
import { FoyerError, isFoyerError } from './errors.js';
import type { Emit } from './events.js';
import type { TokenAnswer, User } from './generated/models.js';
import { type Bearer, freshToken, type HeldSession, setAccess } from './held-session.js';
import type { Send } from './http.js';
import { withLock } from './lock.js';
import type { V1Move } from './migrate-v1.js';
import { isDenied, refreshTokens } from './refresh.js';
import { singleFlight } from './single-flight.js';
import { stopwatch } from './stopwatch.js';
import type { TokenStorage } from './storage.js';
import type { Stored, Vault } from './vault.js';

export interface BearerNeed {
  signal?: AbortSignal | undefined;
  /** The bearer token that a response rejected; returns a newer one, refreshing if necessary. */
  refused?: Bearer;
  forceRefresh?: boolean | undefined;
}

export interface SessionKeeper {
  ready(): Promise<AuthState>;
  bearer(need: BearerNeed): Promise<Bearer>;
  /** Starts a sign-in. The returned function activates its session, unless a sign-out came in between. */
  beginSignIn(): (answer: TokenAnswer) => Promise<void>;
  /** Signs out locally, synchronously up to the first wait. `failure`: the storage still contains the token. */
  signOut(reason: SignOutReason): Promise<{ session: Stored | null; failure?: unknown }>;
  /** Merges data of a response into the state. */
  note(shown: { user?: User; online?: boolean }): void;
  close(): void;
}

interface Parts {
  storage: TokenStorage;
  vault: Vault;
  state: StateStream;
  send: Send;
  emit: Emit;
  refreshMarginMs: number;
  v1?: V1Move | undefined;
}

export function createSessionKeeper({
  storage,
  vault,
  state,
  send,
  emit,
  refreshMarginMs,
  v1,
}: Parts): SessionKeeper {
  let held: HeldSession | null = null;
  let signOuts = 0;
  let closed = false;

  const boot = singleFlight(async () => {
    await vault.read((stored) => {
      if (!unsettled()) return;
      if (stored) hold(stored);
      else if (!v1) letGo();
    });
    if (v1 && unsettled()) await alone(() => moveFromV1(v1));
    else void v1?.tidy();
  });
  const refresh = singleFlight(renewHeld);
  const alone = <T>(work: () => Promise<T>) => withLock(storage, vault.key, work, emit);

  const unsettled = () => state.current.status === 'loading';

  function change(session: HeldSession | null, next: AuthState): void {
    held?.ended.abort();
    refresh.forget();
    held = session;
    state.set(next);
  }

  function hold({ refreshToken, uid }: Stored, answer?: TokenAnswer): void {
    const session: HeldSession = { refreshToken, uid, ended: new AbortController() };
    if (answer) setAccess(session, answer);
    change(session, { status: 'signedIn', uid, user: answer?.user ?? null, online: true });
  }

  function letGo(reason?: SignOutReason): void {
    if (state.current.status !== 'signedOut')
      change(null, { status: 'signedOut', ...(reason && { reason }) });
  }

  function note(shown: { user?: User; online?: boolean }): void {
    const { current } = state;
    const own = current.status === 'signedIn' && (!shown.user || shown.user.uid === current.uid);
    if (own) state.set({ ...current, ...shown });
  }

  function assertHeld(session: HeldSession | null): asserts session is HeldSession {
    if (!session || session !== held) throw new FoyerError('auth/invalid-token', 'Not signed in.');
  }

  function assertOpen(): void {
    if (closed) throw abortedError();
  }

  async function renewHeld(): Promise<void> {
    const session = held;
    assertHeld(session);
    const { rest } = session;
    if (rest && rest.ageMs() < rest.error.retryAfterMs!) throw rest.error;
    const elapsedMs = stopwatch();
    let code: string | undefined;
    try {
      await (session.unsaved ? save(session) : alone(() => renew(session)));
    } catch (error) {
      if (!isFoyerError(error)) throw error;
      code = error.code;
      if (session === held && code !== 'client/storage-unavailable') note({ online: false });
      if (error.retryAfterMs) session.rest = { error, ageMs: stopwatch() };
      throw error;
    } finally {
      emit({ type: 'refresh', code, durationMs: elapsedMs() });
    }
  }

  async function renew(session: HeldSession): Promise<void> {
    // Another tab may have spent this token while this one waited for the lock.
    follow(session, await vault.read());
    for (let followed = false; ; followed = true) {
      const spent = session.refreshToken;
      try {
        return await keep(session, spent, await refreshTokens(send, spent, emit, session.ended.signal));
      } catch (error) {
        assertHeld(session);
        if (!isDenied(error)) throw error;
        follow(session, await vault.read());
        if (session.refreshToken === spent) {
          letGo('revoked');
          // A token that cannot be removed is revoked; the next start detects that.
          await vault.write(null).catch(() => {});
          throw error;
        }
        if (followed) throw error;
      }
    }
  }

  async function moveFromV1(move: V1Move): Promise<void> {
    const before = signOuts;
    // Another tab may have exchanged the token while this one waited for the lock.
    if (await takeOver(move)) return;
    const outcome = await move.exchange();
    if (outcome === null || typeof outcome === 'string') {
      // Without a lock another process may have exchanged the token: its session is stored, or about to be.
      if (outcome !== 'deferred' && (await takeOver(move))) return;
      if (outcome === 'rejected') {
        await pause(1_000);
        if (await takeOver(move)) return;
      }
      if (unsettled()) letGo(outcome === 'rejected' ? 'migration-rejected' : undefined);
      if (outcome) await move.settle(outcome);
      return;
    }
    // Stored even after `dispose`: the v1 token is spent, and the next client has no other.
    if (signOuts !== before) {
      void send('POST /auth/sign-out', {}, {}, outcome.access_token).catch(() => {});
    } else {
      hold({ refreshToken: outcome.refresh_token, uid: outcome.user.uid }, outcome);
      // The v1 token is spent, so a session that cannot be stored now is stored before its next use.
      const session = held!;
      session.unsaved = true;
      await save(session).catch(() => {});
    }
    await move.settle('migrated');
  }

  /** Adopts the session that another tab or process exchanged for the v1 token; false when there is none. */
  async function takeOver(move: V1Move): Promise<boolean> {
    const stored = await vault.read();
    if (!stored) return false;
    if (unsettled()) hold(stored);
    await move.tidy();
    return true;
  }

  /** Adopts what another tab or process stored. */
  function follow(session: HeldSession, stored: Stored | null): void {
    assertHeld(session);
    if (!stored) letGo('other-context');
    else if (stored.uid !== session.uid) hold(stored);
    else session.refreshToken = stored.refreshToken;
    assertHeld(session);
  }

  async function keep(session: HeldSession, spent: string, answer: TokenAnswer): Promise<void> {
    const stored = await vault.read().catch(() => undefined);
    // If the storage cannot be read, the write below decides.
    if (stored !== undefined) follow(session, stored);
    assertHeld(session);
    setAccess(session, answer);
    // A token that another tab stored meanwhile is at least as new.
    if (session.refreshToken === spent) {
      session.refreshToken = answer.refresh_token;
      session.unsaved = true;
      await save(session);
    }
    note({ user: answer.user, online: true });
  }

  /** A new access token is not used before its refresh token is stored. */
  async function save(session: HeldSession): Promise<void> {
    await vault.write(session);
    session.unsaved = false;
  }

  async function ready(): Promise<AuthState> {
    assertOpen();
    if (state.current.status === 'loading') await boot.join();
    return state.current;
  }

  boot.join().catch(() => {}); // The first call that requires the session retries.

  return {
    ready,
    async bearer({ signal, refused, forceRefresh }) {
      await unlessAborted(ready(), signal);
      const session = refused ? refused.session : held;
      assertHeld(session);
      const must = forceRefresh || session.unsaved || (refused && refused.token === session.access?.token);
      if (must || !freshToken(session, refreshMarginMs)) {
        try {
          await unlessAborted(refresh.join(), signal);
        } catch (error) {
          // An early refresh may fail harmlessly, unless the new token is not stored.
          if (must || signal?.aborted || session.unsaved || !freshToken(session)) throw error;
        }
      }
      assertHeld(session);
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
        await alone(async () => {
          assertWanted();
          await vault.write(stored);
        });
        assertWanted();
        hold(stored, answer);
      };
    },
    async signOut(reason) {
      assertOpen();
      const unread = state.current.status === 'loading';
      let session: Stored | null = held;
      signOuts++;
      letGo(reason);
      void v1?.tidy();
      if (unread) session = await vault.read().catch(() => null);
      return vault.write(null).then(
        () => ({ session }),
        (failure) => ({ session, failure }),
      );
    },
    note,
    close() {
      closed = true;
      state.close();
    },
  };
}
