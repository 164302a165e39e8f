// The cookies of a session, on the app's own origin. Each begins with the session's id, so that cookies of two sessions
// are never combined:
// - `refresh`, HttpOnly: the refresh token.
// - `access`, HttpOnly: the access token and when it expires, for pages that the server renders.
// - `user`: the user's id, which scripts of the page read to know that there is a session. They remove it to sign out
//   while offline: without it the other two count for nothing.
import type { User } from '../generated/models.js';

/** The tokens of a session, and the time at which the access token expires by this machine's clock. */
export interface SessionTokens {
  sid: string;
  uid: string;
  refreshToken: string;
  accessToken: string;
  expiresAtMs: number;
  /** The user, if the tokens come from a response of the service. */
  user?: User;
}

/** What a request's cookies contain. Without `uid` the user has signed out here, which the service may not know yet. */
export interface PresentedSession {
  sid: string;
  refreshToken: string;
  uid?: string | undefined;
  accessToken?: string | undefined;
  expiresAtMs: number;
}

export interface SessionCookies {
  /** Null without a refresh token. */
  read(cookieHeader: string | null | undefined): PresentedSession | null;
  /** The `Set-Cookie` headers of new tokens. Without `user` the session remains signed out in this browser. */
  set(tokens: SessionTokens, parts?: readonly CookiePart[]): string[];
  /** The `Set-Cookie` headers that remove these cookies. */
  clear(parts?: readonly CookiePart[]): string[];
  /** The `Cookie` header of a request as the browser will send it after these `Set-Cookie` headers. */
  applied(cookieHeader: string | null, setCookies: readonly string[]): string;
}

export type CookiePart = 'refresh' | 'access' | 'user';

const allParts: readonly CookiePart[] = ['refresh', 'access', 'user'];
/** The service keeps an unused session as long: 90 days. */
const maxAgeSeconds = 90 * 86_400;
/** Browsers ignore a cookie of more than 4,096 bytes with its name and attributes. */
const maxValueCharacters = 3_800;

export function createSessionCookies(appKey: string, isSecure: boolean): SessionCookies {
  // A browser accepts the prefix only from the host itself over https, so no subdomain can replace the cookies.
  const prefix = `${isSecure ? '__Host-' : ''}foyer.${appKey.trim().replace(/[^A-Za-z0-9._-]/g, '_')}.`;
  const attributes = `; Path=/; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  const cookie = (part: CookiePart, value: string, seconds: number) =>
    `${prefix}${part}=${value}; Max-Age=${seconds}${attributes}${part === 'user' ? '' : '; HttpOnly'}`;

  return {
    read(cookieHeader) {
      const values = parse(cookieHeader ?? '');
      const [sid, refreshToken] = fields(values.get(`${prefix}refresh`), 2);
      if (!sid || !refreshToken) return null;
      const [userSid, uid] = fields(values.get(`${prefix}user`), 2);
      const [accessSid, expiresAt, accessToken] = fields(values.get(`${prefix}access`), 3);
      return {
        sid,
        refreshToken,
        uid: userSid === sid && uid ? uid : undefined,
        ...(accessSid === sid && accessToken
          ? { accessToken, expiresAtMs: Number(expiresAt) }
          : { expiresAtMs: 0 }),
      };
    },
    set({ sid, uid, refreshToken, accessToken, expiresAtMs }, parts = allParts) {
      const seconds = Math.floor((expiresAtMs - Date.now()) / 1_000);
      const access = `${sid}.${expiresAtMs}.${accessToken}`;
      return parts.map((part) => {
        if (part === 'refresh') return cookie(part, `${sid}.${refreshToken}`, maxAgeSeconds);
        if (part === 'user') return cookie(part, `${sid}.${uid}`, maxAgeSeconds);
        return access.length > maxValueCharacters ? cookie(part, '', 0) : cookie(part, access, seconds);
      });
    },
    clear: (parts = allParts) => parts.map((part) => cookie(part, '', 0)),
    applied(cookieHeader, setCookies) {
      const values = parse(cookieHeader ?? '');
      for (const each of setCookies) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
        if (value) values.set(name, value);
        else values.delete(name);
      }
      return [...values].map(([name, value]) => `${name}=${value}`).join('; ');
    },
  };
}

function parse(header: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const pair of header.split(';')) {
    const [, name, value] = /^\s*([^=]+?)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    // The first of two cookies of a name is that of the longer path.
    if (name && value !== undefined && !values.has(name)) values.set(name, value);
  }
  return values;
}

/** Splits at the first dots; the last field may contain more of them. */
function fields(value: string | undefined, count: number): string[] {
  const parts = value?.split('.') ?? [];
  return parts.length < count ? [] : [...parts.slice(0, count - 1), parts.slice(count - 1).join('.')];
}
