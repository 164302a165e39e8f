// How a code is stored: a million codes are tried in a moment, so a bare hash would hide nothing. The key is the service's.
import { hmacSha256 } from '../lib/crypto/digest.js';
import type { KeyRing } from '../lib/crypto/key-ring.js';
import type { CodeKey } from './store.js';

export function hashOfCode(
  keyRing: KeyRing,
  keyId: number,
  key: CodeKey,
  email: string,
  code: string,
): Buffer {
  const parts = JSON.stringify([key.appId, key.purpose, key.subject, email, code]);
  return hmacSha256(keyRing.derive(keyId, 'emailed code'), parts);
}
