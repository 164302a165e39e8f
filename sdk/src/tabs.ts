// Tabs that share a storage follow each other's sign-ins, sign-outs and refreshes. Access tokens travel between them
// over a channel and are never stored.
import { type ActiveSession, freshToken, type TabMessage } from './active-session.js';
import type { AuthState } from './api.js';
import { pause } from './bounded.js';
import type { CurrentSession } from './current-session.js';
import type { TokenStorage } from './storage.js';
import type { Stored, Vault } from './vault.js';

/** How long a tab without an access token waits for that of another. */
const answerMs = 100;
const pollMs = 10;

interface Parts {
  storage: TokenStorage;
  vault: Vault;
  current: CurrentSession;
  ready: () => Promise<AuthState>;
  withSessionLock: <T>(work: () => Promise<T>) => Promise<T>;
}

export interface Tabs {
  /** Gives the other tabs the session's tokens. */
  announce(session: ActiveSession): void;
  /** Waits shortly for the tokens of another tab. */
  ask(session: ActiveSession): Promise<void>;
  /** Adopts what the storage contains. */
  sync(): Promise<void>;
  /** Sessions that were signed out here: a refresh that another tab completes later must not restore them. */
  signedOut: Set<number | undefined>;
  close(): void;
}

export function createTabs({ storage, vault, current, ready, withSessionLock }: Parts): Tabs {
  let channel = storage.channel?.(vault.key, (message) => {
    const session = current.active;
    const data = message as TabMessage;
    if (!session || session.id !== data.id) return;
    if (data.access_token) current.adoptTokens(session, data);
    else tabs.announce(session);
  });
  const unsubscribe = storage.subscribe?.(vault.key, () => void tabs.sync());
  const isSignedOut = (stored: Stored | null) => tabs.signedOut.has(stored?.id);
  const post = (message: TabMessage) => channel?.postMessage(message);

  const tabs: Tabs = {
    signedOut: new Set(),

    announce(session) {
      const access_token = freshToken(session);
      const { access, id, serial, refreshToken, user } = session;
      if (access_token && access?.serial === serial && user) {
        const expires_in = (access.lifeMs - access.ageMs()) / 1_000;
        post({ id, serial, user, access_token, expires_in, refresh_token: refreshToken });
      }
    },

    async ask(session) {
      post({ id: session.id });
      for (let ms = 0; channel && ms < answerMs && !session.access; ms += pollMs) await pause(pollMs);
    },

    async sync() {
      try {
        // The read of the startup may be older than the change.
        await ready();
        const stored = await vault.read();
        if (isSignedOut(stored)) {
          // Another tab may be storing a new session.
          await withSessionLock(async () => {
            if (isSignedOut(await vault.read())) await vault.write(null);
          });
        } else if (current.active) current.adopt(current.active, stored);
        else if (stored) current.activate(stored);
      } catch {} // The adopted change ended the session, or the next call reads the storage.
    },

    close() {
      unsubscribe?.();
      channel?.close();
      channel = undefined;
    },
  };
  return tabs;
}
