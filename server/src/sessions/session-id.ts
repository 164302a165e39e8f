// The id of a session: a ULID with 16 bits of its user after the time, so that the sessions of one giant app can be
// spread over machines by user although a refresh token names only the session (docs/scaling.md).
import { sha256 } from '../lib/crypto/digest.js';
import type { Random } from '../lib/crypto/random.js';
import { ulidBytes, ulidText } from '../lib/crypto/ulid-bytes.js';

const timeBytes = 6;

/** The ids of a user's sessions sort by creation time unless a clock stepped back. */
export function newSessionId(random: Pick<Random, 'ulid'>, uid: string, now: Date): string {
  const id = ulidBytes(random.ulid(now));
  sha256(uid).copy(id, timeBytes, 0, 2);
  return ulidText(id);
}
