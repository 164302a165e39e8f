// The token of an invitation link: 32 random bytes, of which only the SHA-256 is stored.
import type { Deps } from '../../deps.js';
import { sha256 } from '../../lib/crypto/digest.js';

export function newInvitationToken(deps: Pick<Deps, 'random'>) {
  const token = `inv_${deps.random.bytes(32).toString('base64url')}`;
  return { token, hash: new Uint8Array(sha256(token)) };
}

/** The token is in the fragment, which browsers send to no server: it appears in no log. */
export function invitationLink(baseUrl: string, token: string): string {
  return `${baseUrl}/dashboard/invitation#${token}`;
}
