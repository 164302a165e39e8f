// The refresh token: its bytes, its tag, and the chain that derives each secret from the previous one. Pure functions without
// database and time.
import { limits } from '@foyer/contract';
import type { KeyRing } from '../../engines/keys/index.js';
import { equalInConstantTime, hmacSha256, sha256 } from '../lib/crypto/digest.js';
import { ulidBytes, ulidText } from '../lib/crypto/ulid-bytes.js';

export type RefreshToken = { keyId: number; sessionId: string; generation: number; secret: Buffer };

const prefix = 'rt_';
const version = 1;
const secretBytes = 32;
const tagBytes = 16;
const sessionAt = 2;
const generationAt = 18;
const secretAt = 22;
const tagAt = secretAt + secretBytes;
const tokenBytes = tagAt + tagBytes;
/** The range of the column; only a tag made with a leaked key can exceed it. */
const maxGenerations = 2 ** 31 - 1;
/** No legitimate token is further behind. */
const maxSteps = limits.refreshesPerReuseWindow + 1;

export function encodeRefreshToken(keyRing: KeyRing, appId: string, token: RefreshToken): string {
  const bytes = Buffer.alloc(tokenBytes);
  bytes[0] = version;
  bytes[1] = token.keyId;
  ulidBytes(token.sessionId).copy(bytes, sessionAt);
  bytes.writeUInt32BE(token.generation, generationAt);
  token.secret.copy(bytes, secretAt);
  tagOf(keyRing, token.keyId, appId, bytes).copy(bytes, tagAt);
  return prefix + bytes.toString('base64url');
}

/**
 * `not-ours`: malformed, modified, or of another app. `unknown-key`: this process lacks the encryption key, so the token
 * cannot be checked.
 */
export function parseRefreshToken(
  keyRing: KeyRing,
  appId: string,
  text: string,
): RefreshToken | 'not-ours' | 'unknown-key' {
  if (!text.startsWith(prefix)) return 'not-ours';
  const bytes = Buffer.from(text.slice(prefix.length), 'base64url');
  // Encoding again rejects what decoding tolerates: foreign characters, padding, spare bits.
  if (bytes.length !== tokenBytes || prefix + bytes.toString('base64url') !== text) return 'not-ours';
  if (bytes[0] !== version) return 'not-ours';
  const keyId = bytes[1] as number;
  if (!keyRing.has(keyId)) return 'unknown-key';
  if (!equalInConstantTime(tagOf(keyRing, keyId, appId, bytes), bytes.subarray(tagAt))) return 'not-ours';
  const generation = bytes.readUInt32BE(generationAt);
  if (generation > maxGenerations) return 'not-ours';
  return {
    keyId,
    sessionId: ulidText(bytes.subarray(sessionAt, generationAt)),
    generation,
    secret: bytes.subarray(secretAt, tagAt),
  };
}

/** The token `steps` generations later in the chain of the session. */
export function laterRefreshToken(keyRing: KeyRing, token: RefreshToken, steps: number): RefreshToken {
  if (steps > maxSteps) throw new Error('a refresh token is never derived this far');
  let { generation, secret } = token;
  const chainKey = keyRing.derive(token.keyId, 'refresh-token chain');
  const session = ulidBytes(token.sessionId);
  for (let step = 0; step < steps; step += 1) {
    generation += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(generation);
    secret = hmacSha256(chainKey, Buffer.concat([session, counter, secret]));
  }
  return { ...token, generation, secret };
}

/** The stored form of a token. */
export function hashOfSecret(token: RefreshToken): Buffer {
  return sha256(token.secret);
}

function tagOf(keyRing: KeyRing, keyId: number, appId: string, bytes: Buffer): Buffer {
  const tagKey = keyRing.derive(keyId, `refresh-token tag ${appId}`);
  return hmacSha256(tagKey, bytes.subarray(0, tagAt)).subarray(0, tagBytes);
}
