// The user handle (`user.id` of WebAuthn), which authenticators store and may reveal: opaque, different in each app, and the
// same for every passkey of a user. It is a hash of the user's id, whose random part nobody can guess, and needs no column.
import type { UserIds } from '../accounts/account.js';
import { sha256 } from '../lib/crypto/digest.js';

export function userHandleOf({ appId, uid }: UserIds): string {
  return sha256(`passkey user handle ${appId} ${uid}`).toString('base64url');
}
