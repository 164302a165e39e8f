// The token of an invitation link: 32 random bytes, of which only the SHA-256 is stored.
import type { Deps } from '../../deps.js';
import { sha256 } from '../../lib/crypto/digest.js';

const tokenBytes = 32;

export function newInvitationToken(deps: Pick<Deps, 'random'>): { token: string; hash: Buffer } {
  const token = `inv_${deps.random.bytes(tokenBytes).toString('base64url')}`;
  return { token, hash: sha256(token) };
}

/** In the fragment, which browsers send to no server: it appears in no log. */
export function invitationLink(baseUrl: string, token: string): string {
  return `${baseUrl}/dashboard/invitation#${token}`;
}
