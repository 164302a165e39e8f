// The session in memory and the state that listeners receive, which change together.
import type { AccessTokenCache } from './access-token-cache.js';
import { type ActiveSession, setAccess, type TabMessage } from './active-session.js';
import type { SignOutReason } from './api.js';
import type { StateStream } from './auth-state.js';
import { FoyerError } from './errors.js';
import type { AccessAnswer, TokenAnswer, User } from './generated/models.js';
import type { Stored } from './vault.js';

export interface CurrentSession {
  active: ActiveSession | null;
  isLoading(): boolean;
  activate(stored: Stored, answer?: TokenAnswer): void;
  /** Gives a session the access token of a response, unless the session ended meanwhile. */
  grant(session: ActiveSession, answer: AccessAnswer): void;
  end(reason?: SignOutReason): void;
  /** Merges data of a response into the state. */
  merge(update: { user?: User; online?: boolean }): void;
  /** Returns `session`; throws unless it is the current one. */
  required(session: ActiveSession | null): ActiveSession;
  /** Adopts what another tab or process stored; throws when that ends `session`. */
  adopt(session: ActiveSession, stored: Stored | null): void;
  /** Adopts the tokens of another tab, unless this one has newer ones. */
  adoptTokens(session: ActiveSession, message: TabMessage): void;
}

export function createCurrentSession(state: StateStream, cache: AccessTokenCache): CurrentSession {
  const current: CurrentSession = {
    active: null,

    isLoading: () => state.current.status === 'loading',

    activate(stored, answer) {
      const session: ActiveSession = { ...stored, ended: new AbortController() };
      current.active?.ended.abort();
      current.active = session;
      if (answer) current.grant(session, answer);
      else cache.load(session);
      state.set({ status: 'signedIn', uid: stored.uid, user: session.user ?? null, online: true });
    },

    grant(session, answer) {
      if (session !== current.active) return;
      setAccess(session, answer);
      cache.save(session);
    },

    end(reason) {
      if (state.current.status === 'signedOut') return;
      current.active?.ended.abort();
      current.active = null;
      cache.clear();
      state.set({ status: 'signedOut', ...(reason && { reason }) });
    },

    merge(update) {
      const before = state.current;
      const isCurrent = before.status === 'signedIn' && (!update.user || update.user.uid === before.uid);
      if (isCurrent) state.set({ ...before, ...update });
    },

    required(session) {
      if (session && session === current.active) return session;
      throw new FoyerError('client/signed-out', 'Not signed in.');
    },

    adopt(session, stored) {
      current.required(session);
      if (!stored) current.end('other-context');
      else if (stored.uid !== session.uid) current.activate(stored);
      else if (stored.id !== session.id || stored.serial > session.serial) {
        // An access token of the user's earlier session would end that one at a sign-out.
        if (stored.id !== session.id) delete session.access;
        Object.assign(session, stored);
      }
      current.required(session);
    },

    adoptTokens(session, message) {
      const { serial = 0, refresh_token, user } = message;
      if (serial <= (session.access?.serial ?? -1)) return;
      if (serial > session.serial) Object.assign(session, { serial, refreshToken: refresh_token });
      current.grant(session, message as TokenAnswer);
      current.merge({ user: user!, online: true });
    },
  };
  return current;
}
