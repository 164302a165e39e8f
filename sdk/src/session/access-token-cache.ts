// Keeps the access token in `sessionStorage` where the app opts in, so that a page load does not need a refresh. The
// time is that of this device, at which the token arrived and at which it is read.
import type { AccessTokenCache } from '../api.js';
import { parsed } from '../http/json.js';
import type { ActiveSession, Core } from './core.js';
import { setAccess } from './session.js';

type Entry = Pick<ActiveSession, 'id' | 'user'> & {
  serial: number;
  access_token: string;
  expires_in: number;
  /** The time at which the token arrived. */
  at: number;
};

/**
 * For the option `keepAccessToken`: keeps the access token in the browser's `sessionStorage`, so that a page load does not
 * refresh it. Scripts on the page can read it there until it expires.
 *
 * @example
 * const client = createClient({ baseUrl, appKey, keepAccessToken: inSessionStorage() });
 */
export function inSessionStorage(): AccessTokenCache {
  return (core) => {
    // The app may store the session in `sessionStorage` too.
    const key = `${(core as Core).storageKey}.access`;
    /** A browser that blocks the storage has no cache. */
    const withArea = (work: (area: Storage) => void) => {
      try {
        work(globalThis.sessionStorage);
      } catch {}
    };

    return {
      save({ access, user, id }: ActiveSession) {
        if (!access) return;
        const expires_in = access.lifeMs / 1_000;
        const entry: Entry = {
          id,
          serial: access.refreshes,
          user,
          access_token: access.bearer,
          expires_in,
          at: Date.now() - access.ageMs(),
        };
        withArea((area) => area.setItem(key, JSON.stringify(entry)));
      },
      load(session: ActiveSession) {
        withArea((area) => {
          const { id, serial, user, access_token, expires_in, at } = parsed<Entry>(
            area.getItem(key),
            {} as Entry,
          );
          const age = (Date.now() - at) / 1_000;
          // A negative age: the clock was set back.
          if (id === session.id && serial === session.refreshes && age >= 0 && age < expires_in) {
            setAccess(session, { access_token, expires_in: expires_in - age, user: user! });
          } else area.removeItem(key);
        });
      },
      clear: () => withArea((area) => area.removeItem(key)),
    };
  };
}
