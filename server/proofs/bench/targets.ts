// The URLs of the calls at the service and at its ceiling, and the tokens of the users.
import type { KeyRing } from '../../engines/keys/key-ring.js';
import { encodeRefreshToken } from '../../src/sessions/refresh-token.js';
import { secretOf, sessionIdOf, usersPerApp } from './database.js';
import { passkeysOf } from './passkeys.js';

export type Target = {
  paths: Record<'refresh' | 'me' | 'keySet' | 'config' | 'signIn' | 'passkey', string>;
  /** The entity tag of the remote config. */
  configTag: string;
  /** Header lines sent with every request. */
  headers: string;
  users: number;
  /** Replaced when they are spent. */
  refreshTokens: string[];
  /** Undefined until the user's first refresh. */
  accessTokens: (string | undefined)[];
  /** The body of a sign-in with the user's passkey. */
  assertionOf(user: number): object;
};

export function serviceTarget(
  appKey: string,
  appId: string,
  configTag: string,
  keys: KeyRing,
  users = usersPerApp,
): Target {
  const api = '/api/v2';
  return {
    paths: {
      refresh: `${api}/auth/token/refresh`,
      me: `${api}/me`,
      keySet: `${api}/.well-known/jwks.json`,
      config: `${api}/config`,
      signIn: `${api}/auth/sign-in`,
      passkey: `${api}/auth/passkey/verify`,
    },
    configTag,
    headers: `${commonHeaders}X-App-Key: ${appKey}\r\n`,
    users,
    refreshTokens: tokensOf(users, (user) => {
      const ids = { keyId: keys.currentKeyId, sessionId: sessionIdOf(user) };
      return encodeRefreshToken(keys, appId, { ...ids, generation: 0, secret: secretOf(user) });
    }),
    accessTokens: [],
    assertionOf: passkeysOf(appId, keys),
  };
}

export function ceilingTarget(appId: string, keys: KeyRing): Target {
  return {
    paths: {
      refresh: '/refresh',
      me: '/me',
      keySet: '/keys',
      config: '/config',
      signIn: '/sign-in',
      passkey: '/passkey',
    },
    configTag: '"ceiling"',
    headers: commonHeaders,
    users: usersPerApp,
    refreshTokens: tokensOf(
      usersPerApp,
      (user) => `${sessionIdOf(user)}.${secretOf(user).toString('base64url')}`,
    ),
    accessTokens: [],
    assertionOf: passkeysOf(appId, keys),
  };
}

const commonHeaders = `Host: localhost\r
Accept: application/json\r
User-Agent: Mozilla/5.0 (Android 15; Mobile; rv:131.0) Gecko/131.0 Firefox/131.0\r
`;

function tokensOf(users: number, token: (user: number) => string): string[] {
  return Array.from({ length: users }, (_, user) => token(user));
}
