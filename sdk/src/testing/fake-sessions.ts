// The sessions of the fake service: access tokens, the rotation of refresh tokens and their reuse.
import type { Factors, SessionInfo, TokenAnswer } from '../generated/models.js';
import { toBase64url } from './base64url.js';
import { type FakeSession, Refusal } from './fake-answer.js';
import type { FakeClock } from './fake-clock.js';
import type { FakeUser, FakeUsers } from './fake-users.js';

export const appId = '01FAKEAPP00000000000000000';

const reuseMs = 30_000;
const idleMs = 90 * 86_400_000;
const recentMs = 5 * 60_000;
const amrOf = {
  password: ['pwd'],
  email_code: ['otp'],
  provider_a: ['fed'],
  provider_b: ['fed'],
  provider: ['fed'],
  v1_exchange: ['pwd'],
  passkey: ['swk', 'user', 'mfa'],
} as const;
const amrOfFactor = { totp: ['otp', 'mfa'], recovery_code: ['mfa'] } as const;

export type FakeFactorKind = keyof typeof amrOfFactor;

export type FakeSessions = ReturnType<typeof fakeSessions>;

/** @param setting The app's rule for the second factor. */
export function fakeSessions(
  clock: FakeClock,
  users: FakeUsers,
  issuer: string,
  setting: { rule: Factors['rule'] },
) {
  const sessions: FakeSession[] = [];
  const accessTokens = new Map<string, { session: FakeSession; expiresAt: number }>();

  const all = {
    sessions,
    accessTokenSeconds: 3_600,
    /** Sessions that ended because a refresh token was reused. */
    reuses: 0,
    begin,
    refresh,
    accessAnswer,
    find,
    live,
    of: (uid: string) => sessions.filter((session) => session.uid === uid && isLive(session)),
    endAll,
    renew,
    addFactor,
    requireRecent,
    show,
    /** Every access token issued so far has expired. */
    expireAccessTokens() {
      for (const access of accessTokens.values()) access.expiresAt = 0;
    },
    /** Every access token issued so far is unknown. */
    forgetAccessTokens: () => accessTokens.clear(),
  };

  const isLive = ({ ended, lastUsedAtMs }: FakeSession) => !ended && clock.now() - lastUsedAtMs < idleMs;

  function begin(
    { user, disabled }: FakeUser,
    method: FakeSession['method'],
    header: (name: string) => string | undefined,
    {
      signedInAtMs = clock.now(),
      factor,
    }: { signedInAtMs?: number; factor?: FakeFactorKind | undefined } = {},
  ): TokenAnswer {
    if (disabled) throw new Refusal('auth/user-disabled');
    const id = clock.newId();
    const session: FakeSession = {
      amr: [...amrOf[method]],
      ...{ id, uid: user.uid, method, tokens: [`rt_${id}_1`], spentAt: [], ended: false, signedInAtMs },
      ...{ createdAtMs: clock.now(), lastUsedAtMs: clock.now() },
      deviceName: percentDecoded(header('x-client-device')),
      appVersion: percentDecoded(header('x-client-version')),
    };
    if (factor) addFactor(session, factor);
    sessions.push(session);
    return tokenAnswer(session);
  }

  /** A token that was spent within 30 seconds is answered with the current one. */
  function refresh(token: string): TokenAnswer {
    const session = sessions.find(({ tokens }) => tokens.includes(token));
    if (!session) throw new Refusal('auth/invalid-token');
    if (!isLive(session)) throw new Refusal('auth/refresh-token-revoked');
    const generation = session.tokens.indexOf(token);
    const spentAt = session.spentAt[generation];
    if (spentAt === undefined) {
      session.spentAt[generation] = clock.now();
      session.lastUsedAtMs = clock.now();
      session.tokens.push(`rt_${session.id}_${generation + 2}`);
    } else if (clock.now() - spentAt > reuseMs) {
      session.ended = true;
      all.reuses += 1;
      throw new Refusal('auth/refresh-token-revoked');
    }
    return tokenAnswer(session);
  }

  function tokenAnswer(session: FakeSession): TokenAnswer {
    return { ...accessAnswer(session), refresh_token: session.tokens.at(-1)! };
  }

  function accessAnswer(session: FakeSession) {
    const { user, claims } = users.byUid(session.uid);
    const issuedAt = Math.floor(clock.now() / 1_000);
    const expiresIn = all.accessTokenSeconds;
    const payload = {
      iss: issuer,
      aud: appId,
      client_id: appId,
      sub: user.uid,
      sid: session.id,
      jti: clock.newId(),
      iat: issuedAt,
      exp: issuedAt + expiresIn,
      auth_time: Math.floor(session.signedInAtMs / 1_000),
      amr: session.amr,
      email: user.email,
      email_verified: user.email_verified,
      ...(Object.keys(claims).length > 0 && { claims }),
    };
    const parts = [{ alg: 'ES256', typ: 'at+jwt', kid: 'fake' }, payload].map((part) =>
      toBase64url(JSON.stringify(part)),
    );
    const token = [...parts, 'fake'].join('.');
    accessTokens.set(token, { session, expiresAt: clock.now() + expiresIn * 1_000 });
    return { access_token: token, token_type: 'Bearer' as const, expires_in: expiresIn, user: { ...user } };
  }

  function find(authorization: string | undefined) {
    return accessTokens.get(authorization?.replace(/^Bearer /, '') ?? '');
  }

  /** The session of an access token; throws for one that is not valid. */
  function live(authorization: string | undefined): FakeSession {
    const access = find(authorization);
    if (!access) throw new Refusal('auth/invalid-token');
    if (access.expiresAt <= clock.now()) throw new Refusal('auth/token-expired');
    if (!isLive(access.session)) throw new Refusal('auth/invalid-token');
    return access.session;
  }

  /** Ends the sessions of a user, and with them the v1 tokens and a pending change of email. */
  function endAll(uid: string, spared?: FakeSession): void {
    for (const session of all.of(uid)) session.ended = session !== spared;
    for (const [token, owner] of users.v1Tokens) if (owner === uid) users.v1Tokens.delete(token);
    users.deleteCodes([uid], 'email_change');
  }

  /** A reauthentication: a sign-in in the same session. */
  function renew(session: FakeSession, method: FakeSession['method'], factor?: FakeFactorKind): void {
    session.signedInAtMs = clock.now();
    session.amr = [...amrOf[method]];
    if (factor) addFactor(session, factor);
  }

  function addFactor(session: FakeSession, factor: FakeFactorKind): void {
    session.amr = [...new Set([...session.amr, ...amrOfFactor[factor]])];
  }

  /** A sign-in without the second factor that the user has enrolled since is not recent. */
  function requireRecent({ uid, amr, signedInAtMs }: FakeSession): void {
    const lacksFactor = setting.rule !== 'off' && users.byUid(uid).factor && !amr.includes('mfa');
    if (lacksFactor || clock.now() - signedInAtMs > recentMs) throw new Refusal('auth/requires-recent-login');
  }

  function show(session: FakeSession, current: FakeSession): SessionInfo {
    return {
      id: session.id,
      current: session === current,
      method: session.method,
      device: {
        name: session.deviceName,
        type: 'unknown',
        os: null,
        browser: null,
        app_version: session.appVersion,
      },
      ip_address: '127.0.0.1',
      created_at: clock.timestamp(session.createdAtMs),
      last_used_at: clock.timestamp(session.lastUsedAtMs),
      expires_at: clock.timestamp(session.lastUsedAtMs + idleMs),
    };
  }

  return all;
}

/** As it is if it is not percent-encoded. */
function percentDecoded(text: string | undefined): string | null {
  try {
    return text ? decodeURIComponent(text) : null;
  } catch {
    return text ?? null;
  }
}
