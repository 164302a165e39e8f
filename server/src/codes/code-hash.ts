// The stored forms of a code and of its flow.
import type { KeyRing } from '../../engines/keys/index.js';
import { hmacSha256, sha256 } from '../lib/crypto/digest.js';
import type { CodeKey } from './store.js';

/** An HMAC, since a plain hash of a six-digit code is reversed by trying a million values. */
export function hashOfCode(
  keyRing: KeyRing,
  keyId: number,
  key: CodeKey,
  { email, code }: { email: string; code: string },
): Buffer {
  const parts = JSON.stringify([key.appId, key.purpose, key.subject, email, code]);
  return hmacSha256(keyRing.derive(keyId, 'emailed code'), parts);
}

export function hashOfFlow(flow: string): Buffer {
  return sha256(flow);
}
