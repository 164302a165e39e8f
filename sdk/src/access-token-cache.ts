// Keeps the access token in `sessionStorage` where the app opts in, so that a page load does not need a refresh. The
// time is that of this device, at which the token arrived and at which it is read.
import { type ActiveSession, setAccess } from './active-session.js';
import type { User } from './generated/models.js';
import { parsed } from './vault.js';

export interface AccessTokenCache {
  save(session: ActiveSession): void;
  /** Gives a session its access token; removes that of another session, of an earlier refresh, or expired. */
  load(session: ActiveSession): void;
  clear(): void;
}

type Entry = Pick<ActiveSession, 'id' | 'serial'> & {
  token: string;
  lifeMs: number;
  sinceMs: number;
  user: User | undefined;
};

export function createAccessTokenCache(key: string, isEnabled: boolean | undefined): AccessTokenCache {
  /** A browser that blocks the storage has no cache. */
  function withArea(work: (area: Storage) => void): void {
    try {
      if (isEnabled) work(globalThis.sessionStorage);
    } catch {}
  }

  return {
    save(session) {
      const { access, user, id, serial } = session;
      if (!access) return;
      const { token, lifeMs } = access;
      const entry: Entry = { id, serial, token, lifeMs, sinceMs: Date.now() - access.ageMs(), user };
      withArea((area) => area.setItem(key, JSON.stringify(entry)));
    },
    load(session) {
      withArea((area) => {
        const { id, serial, token, lifeMs, sinceMs, user } = parsed<Entry>(area.getItem(key), {} as Entry);
        const ageMs = Date.now() - sinceMs;
        // A negative age: the clock was set back.
        if (id === session.id && serial === session.serial && ageMs >= 0 && ageMs < lifeMs) {
          setAccess(session, { access_token: token, expires_in: (lifeMs - ageMs) / 1_000, user: user! });
        } else area.removeItem(key);
      });
    },
    clear: () => withArea((area) => area.removeItem(key)),
  };
}
