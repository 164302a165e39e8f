// The custom claims that the app's backend has set for the user, from the access token.
import type { Client } from '../api.js';
import { badResponse } from '../http/envelope.js';

/**
 * The claims of a client's users, as declared with `createClient<Claims>()`. Each may be missing, because a user has none
 * until the backend sets them.
 */
export type ClaimsOf<C extends Client> =
  C extends Client<infer Claims>
    ? keyof Claims extends never
      ? Record<string, unknown>
      : Partial<Claims>
    : never;

/** Options of `claims`. */
export interface ClaimsOptions {
  /** Requests a new access token, which has the claims that were set since the last refresh. */
  forceRefresh?: boolean | undefined;
  /** Rejects with `client/aborted`. */
  signal?: AbortSignal | undefined;
}

/**
 * Returns the custom claims of the signed-in user, `{}` without any. They are read from the access token, so changes appear
 * with its next refresh. Use them to choose what to show; your backend decides by its own verification of the token.
 * Rejects with `client/signed-out` when signed out.
 *
 * @example
 * const client = createClient<{ role: 'editor' | 'reader' }>({ baseUrl, appKey });
 * const { role } = await claims(client); // 'editor' | 'reader' | undefined
 */
export async function claims<C extends Client>(client: C, options?: ClaimsOptions): Promise<ClaimsOf<C>> {
  const token = await client.auth.getAccessToken(options);
  try {
    return payloadOf<C>(token).claims;
  } catch {
    throw badResponse();
  }
}

/** @internal The ids of the user and the session, and the claims, of an access token that is not verified here. */
export function payloadOf<C extends Client>(
  token: string,
): { sub: string; sid?: unknown; claims: ClaimsOf<C> } {
  const bytes = atob(token.split('.')[1]!.replace(/-/g, '+').replace(/_/g, '/'));
  // UTF-8, decoded without TextDecoder, which React Native lacks.
  const escaped = Array.from(bytes, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return { claims: {}, ...JSON.parse(decodeURIComponent(escaped.join(''))) };
}
