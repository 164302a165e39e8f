// Whether a secret key authorizes a request. Conventions of the API, "Admin".

export type SecretKeyVerdict = 'good' | 'revoked' | 'expired' | 'in-browser' | 'scope-missing';

export function checkSecretKey(
  key: { scopes: string[]; expiresAt: Date | null; revokedAt: Date | null },
  call: { now: Date; scope: string | undefined; fromBrowser: boolean },
): SecretKeyVerdict {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt !== null && key.expiresAt <= call.now) return 'expired';
  // A secret key in a browser is compromised.
  if (call.fromBrowser) return 'in-browser';
  return call.scope === undefined || key.scopes.includes(call.scope) ? 'good' : 'scope-missing';
}
