// POST /auth/token/refresh: one statement spends the token or reports why not; only reuse needs a second, which ends the
// session.
import { limits, type TokenAnswer } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { equalInConstantTime } from '../lib/crypto/digest.js';
import { before } from '../lib/timestamp.js';
import type { Call } from '../model/call.js';
import { tokenAnswer } from '../tokens/token-answer.js';
import { idleSince } from './live.js';
import { checkRefresh } from './refresh-rules.js';
import { encodeRefreshToken, hashOfSecret, laterRefreshToken, parseRefreshToken } from './refresh-token.js';
import { endReusedSession, spendRefreshToken } from './store.js';

export async function refreshSession(
  deps: Deps,
  { app, ip }: Pick<Call, 'app' | 'ip'>,
  text: string,
): Promise<TokenAnswer> {
  const presented = parseRefreshToken(deps.keyRing, app.id, text);
  if (presented === 'not-ours') throw new ApiError('auth/invalid-token');
  if (presented === 'unknown-key') {
    throw new ApiError('request/unavailable', {
      retryAfterSeconds: 60,
      cause: 'a refresh token names an encryption key that this process does not hold',
    });
  }
  await deps.limiter.consume('refresh-session', app, presented.sessionId);

  const now = deps.clock.now();
  const next = laterRefreshToken(deps.keyRing, presented, 1);
  const spend = {
    appId: app.id,
    sessionId: presented.sessionId,
    generation: presented.generation,
    secretHash: hashOfSecret(presented),
    nextHash: hashOfSecret(next),
    now,
    reuseWindowStart: before(now, limits.refreshReuseSeconds * 1_000),
    idleSince: idleSince(now),
  };
  const row = await spendRefreshToken(deps.query, spend);

  const behind = row ? row.generation - presented.generation : 0;
  // Usually one step: this call has just spent the token. Only a retry needs more.
  const current = () => (behind === 1 ? next : laterRefreshToken(deps.keyRing, presented, behind));
  const secretFits = () => row !== null && equalInConstantTime(hashOfSecret(current()), row.secretHash);
  switch (checkRefresh(row, behind, secretFits)) {
    case 'reused': {
      const ids = { event: deps.random.ulid(now), audit: deps.random.ulid(now) };
      await endReusedSession(deps.query, spend, ids, ip);
      throw new ApiError('auth/refresh-token-revoked');
    }
    case 'ended':
      throw new ApiError('auth/refresh-token-revoked');
    case 'not-ours':
      throw new ApiError('auth/invalid-token');
    case 'too-many':
      throw new ApiError('request/rate-limited', { retryAfterSeconds: limits.refreshReuseSeconds });
    case 'current-token': {
      if (!row) throw new Error('a refresh succeeded without a session');
      deps.dailyCounters.recordActivity(app.id, row.uid, 'v2');
      const refreshToken = encodeRefreshToken(deps.keyRing, app.id, current());
      return tokenAnswer(deps, app, { ...row, sessionId: presented.sessionId }, refreshToken);
    }
  }
}
