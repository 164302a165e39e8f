// Trading a refresh token for the next pair. An answer may be lost after the service spent the token, so the same token
// is sent again, inside the 30 seconds in which the service repeats its answer; a timeout never means "not spent".
import { badResponse } from './envelope.js';
import { isFoyerError } from './errors.js';
import type { Emit } from './events.js';
import type { AccessAnswer, TokenAnswer } from './generated/models.js';
import type { Send } from './http.js';
import { withRetries } from './retry.js';

const sendMs = 8_000;
const maxSends = 4;

/** Up to four sends of one token; `signal` ends them when the session ends. */
export function refreshTokens(
  send: Send,
  token: string,
  emit: Emit,
  signal: AbortSignal,
): Promise<TokenAnswer> {
  return withRetries(() => refreshOnce(send, token, signal), { maxRetries: maxSends - 1, signal, emit });
}

export async function refreshOnce(send: Send, token: string, signal?: AbortSignal): Promise<TokenAnswer> {
  const body = { refresh_token: token };
  return checkedTokens(await send('POST /auth/token/refresh', { body }, { timeoutMs: sendMs, signal }));
}

/** A proxy can answer 200 too; what is not a token answer must never replace a session. */
export function checkedTokens<A extends TokenAnswer>(answer: A | null): A {
  return checkedAccess(answer?.refresh_token ? answer : null);
}

export function checkedAccess<A extends AccessAnswer>(answer: A | null): A {
  if (answer?.access_token && answer.expires_in > 0 && answer.user?.uid) return answer;
  throw badResponse({ status: 200 });
}

/** The service says that this refresh token will never work again. Nothing else ends a session on this device. */
export function isDenied(error: unknown): boolean {
  return isFoyerError(error, 'auth/refresh-token-revoked') || isFoyerError(error, 'auth/invalid-token');
}
