// The session on this device, as the rest of the client uses it. Only the user or the service ends it; a network
// failure does not.
import { createAccessTokenCache } from './access-token-cache.js';
import { type Bearer, freshToken } from './active-session.js';
import type { AuthState, SignOutReason } from './api.js';
import type { StateStream } from './auth-state.js';
import { abortedError, unlessAborted } from './bounded.js';
import { type CurrentSession, createCurrentSession } from './current-session.js';
import type { Emit } from './events.js';
import type { TokenAnswer, User } from './generated/models.js';
import type { Send } from './http.js';
import { withLock } from './lock.js';
import type { V1Exchange } from './migrate-v1.js';
import { createPendingSignOuts, type PendingSignOuts } from './pending-sign-outs.js';
import { createRecovery } from './recovery.js';
import { createRenewal } from './renewal.js';
import { createRestore } from './restore.js';
import { singleFlight } from './single-flight.js';
import type { TokenStorage } from './storage.js';
import { createTabs } from './tabs.js';
import { newSession, type Stored, type Vault } from './vault.js';

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
  signOut(
    reason: SignOutReason,
    everywhere?: boolean,
  ): Promise<{ session: Stored | null; failure?: unknown }>;
  /** Ends a session at the service, now or at the next chance; true when the service confirmed it. */
  end: PendingSignOuts['end'];
  /** Ends the session of a response that came too late to be used. */
  discard: PendingSignOuts['discard'];
  /** Gives a session the access token of a response. */
  grant: CurrentSession['grant'];
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
  keepAccessToken: boolean | undefined;
  v1?: V1Exchange | undefined;
}

export function createSessionStore({
  storage,
  vault,
  state,
  send,
  emit,
  refreshMarginMs,
  keepAccessToken,
  v1,
}: Parts): SessionStore {
  const cache = createAccessTokenCache(vault.key, keepAccessToken);
  let signOutCount = 0;
  let closed = false;
  const current = createCurrentSession(state, cache);
  const withSessionLock = <T>(work: () => Promise<T>) => withLock(storage, vault.key, work, emit);
  const onFailure = () => recovery.start();
  const signOuts = createPendingSignOuts({ storage, vault, send, emit, onFailure });
  const tabs = createTabs({ storage, vault, current, ready, withSessionLock });
  const { announce } = tabs;
  const renewal = createRenewal({ current, vault, send, emit, withSessionLock, onFailure, announce });
  const recovery = createRecovery({ current, state, renewal, signOuts, send, onWake: tabs.sync });
  const restoreSession = createRestore({
    current,
    vault,
    renewal,
    withSessionLock,
    v1,
    signOutCount: () => signOutCount,
    discard: signOuts.discard,
  });
  const restore = singleFlight(async () => {
    await restoreSession();
    signOuts.restore().catch(() => {}); // The next start tries again.
  });

  function assertOpen(): void {
    if (closed) throw abortedError();
  }

  async function ready(): Promise<AuthState> {
    assertOpen();
    if (current.isLoading()) await restore();
    return state.current;
  }

  restore().catch(() => {}); // The first call that requires the session retries.

  const sessionStore: SessionStore = {
    ready,
    async bearer(options) {
      const { signal, refused, forceRefresh } = options;
      await unlessAborted(ready(), signal);
      const session = current.required(refused ? refused.session : current.active);
      const must = forceRefresh || session.unsaved || (refused && refused.token === session.access?.token);
      if (!must && !session.access) {
        session.asked ??= tabs.ask(session);
        await unlessAborted(session.asked, signal);
      }
      if (must || !freshToken(session, refreshMarginMs)) {
        try {
          await unlessAborted(renewal.join(session), signal);
        } catch (error) {
          // An early refresh may fail harmlessly, unless the new token is not stored.
          if (must || signal?.aborted || session.unsaved || !freshToken(session)) throw error;
        }
      }
      current.required(session);
      const token = session.access?.token;
      // Another tab has just signed the same user in again.
      return token ? { token, session } : sessionStore.bearer(options);
    },
    beginSignIn() {
      const before = signOutCount;
      const assertWanted = () => {
        assertOpen();
        if (signOutCount !== before) throw abortedError();
      };
      assertWanted();
      return async (answer) => {
        const stored = newSession(answer);
        await withSessionLock(async () => {
          assertWanted();
          // If the storage cannot be read, the write below decides.
          const replaced = current.active ?? (await vault.read().catch(() => null));
          assertWanted();
          await vault.write(stored);
          if (replaced) {
            signOuts.add(replaced);
            void signOuts.end(replaced);
          }
        });
        assertWanted();
        current.activate(stored, answer);
      };
    },
    grant: current.grant,
    end: signOuts.end,
    discard: signOuts.discard,
    async signOut(reason, everywhere) {
      assertOpen();
      const unread = current.isLoading();
      let session: Stored | null = current.active;
      signOutCount++;
      current.end(reason);
      void v1?.clear();
      if (unread) session = await vault.read().catch(() => null);
      if (session?.id) tabs.signedOut.add(session.id);
      if (session && reason === 'user') signOuts.add(session, everywhere);
      return vault.write(null).then(
        () => ({ session }),
        (failure) => ({ session, failure }),
      );
    },
    merge(update) {
      current.merge(update);
      recovery.start(update.online);
    },
    close() {
      closed = true;
      state.close();
      recovery.close();
      tabs.close();
    },
  };
  return sessionStore;
}
