// Exchanges a refresh token for a new token pair. A response may be lost after the token was spent, so retries send the
// same token within the 30 seconds in which the service repeats its response; a timeout never means "not spent".
import { badResponse } from './envelope.js';
import { isFoyerError } from './errors.js';
import type { Emit } from './events.js';
import type { AccessAnswer, TokenAnswer } from './generated/models.js';
import type { Send } from './http.js';
import { withRetries } from './retry.js';

const sendMs = 8_000;

/** Sends one refresh token up to `maxRetries + 1` times; `signal` aborts when the session ends. */
export function refreshTokens(
  send: Send,
  token: string,
  maxRetries: number,
  emit: Emit,
  signal: AbortSignal,
): Promise<TokenAnswer> {
  return withRetries(() => refreshOnce(send, token, signal), { maxRetries, signal, emit });
}

export async function refreshOnce(send: Send, token: string, signal?: AbortSignal): Promise<TokenAnswer> {
  const body = { refresh_token: token };
  return assertTokens(await send('POST /auth/token/refresh', { body }, { timeoutMs: sendMs, signal }));
}

/** A proxy can answer 200 too; only a token response may replace a session. */
export function assertTokens<A extends TokenAnswer>(answer: A | null): A {
  return assertAccess(answer?.refresh_token ? answer : null);
}

export function assertAccess<A extends AccessAnswer>(answer: A | null): A {
  if (answer?.access_token && answer.expires_in > 0 && answer.user?.uid) return answer;
  throw badResponse({ status: 200 });
}

/** The service rejected the refresh token permanently. No other error ends the session. */
export function isDenied(error: unknown): boolean {
  return isFoyerError(error, 'auth/refresh-token-revoked') || isFoyerError(error, 'auth/invalid-token');
}

/** The two codes that a newer access token can resolve; every other 401 is final. */
export function isTokenRefusal(code: unknown): code is 'auth/token-expired' | 'auth/invalid-token' {
  return code === 'auth/token-expired' || code === 'auth/invalid-token';
}

export function refusesToken(error: unknown): boolean {
  return isFoyerError(error) && isTokenRefusal(error.code);
}
