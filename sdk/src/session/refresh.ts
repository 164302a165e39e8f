// Exchanges a refresh token for a new token pair, once, and the responses with tokens.
import { isFoyerError } from '../errors.js';
import type { AccessAnswer, TokenAnswer } from '../generated/models.js';
import { badResponse } from '../http/envelope.js';
import { send } from '../http/send.js';
import type { Sender } from './core.js';

const sendMs = 8_000;

export async function refreshOnce(sender: Sender, token: string, signal?: AbortSignal): Promise<TokenAnswer> {
  const body = { refresh_token: token };
  return assertTokens(
    await send(sender, 'POST /auth/token/refresh', { body }, { timeoutMs: sendMs, signal }),
  );
}

/** A proxy can answer 200 too; only a token response may replace a session. */
export function assertTokens<A extends TokenAnswer>(answer: A | null): A {
  return assertAccess(answer?.refresh_token ? answer : null);
}

export function assertAccess<A extends AccessAnswer>(answer: A | null): A {
  if (answer?.access_token && answer.expires_in > 0 && answer.user?.uid) return answer;
  throw badResponse();
}

/** The service rejected the refresh token permanently. No other error ends the session. */
export function isDenied(error: unknown): boolean {
  return isFoyerError(error) && /^auth\/(refresh-token-revoked|invalid-token)$/.test(error.code);
}

/** The two codes that a newer access token can resolve; every other 401 is final. */
export function isTokenRefusal(code: unknown): code is 'auth/token-expired' | 'auth/invalid-token' {
  return /^auth\/(token-expired|invalid-token)$/.test(code as string);
}

export function refusesToken(error: unknown): boolean {
  return isFoyerError(error) && isTokenRefusal(error.code);
}
