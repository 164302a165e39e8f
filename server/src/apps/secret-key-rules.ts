// Whether a secret key authorizes a request.
import { type EndpointMetadata, missingScope, type SecretKeyScope } from '@foyer/contract';

/** The scopes that a call requires. */
export type NeededScopes = Pick<EndpointMetadata, 'scope' | 'orScope' | 'alsoScope'>;

export type SecretKeyVerdict =
  | 'good'
  | 'revoked'
  | 'expired'
  | 'in-browser'
  | { reason: 'scope-missing'; scope: SecretKeyScope };

export function checkSecretKey(
  key: { scopes: string[]; expiresAt: Date | null; revokedAt: Date | null },
  call: { now: Date; needs: NeededScopes; fromBrowser: boolean },
): SecretKeyVerdict {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt !== null && key.expiresAt <= call.now) return 'expired';
  // A secret key in a browser is compromised.
  if (call.fromBrowser) return 'in-browser';
  const scope = missingScope(key.scopes, call.needs);
  return scope === null ? 'good' : { reason: 'scope-missing', scope };
}
