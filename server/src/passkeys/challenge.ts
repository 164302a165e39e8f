// Challenges without a row: purpose, expiry and random bytes with an HMAC that binds them to the app and, for a registration,
// to the user and the session. Only a challenge whose signature was accepted is stored, so that it works once.
import { limits } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { equalInConstantTime, hmacSha256, sha256 } from '../lib/crypto/digest.js';
import { secondsOf } from '../lib/timestamp.js';

/** What a challenge is for; that of a sign-in is bound to no user, since anybody may ask for it. */
export type ChallengeUse = { appId: string } & (
  | { purpose: 'sign-in' }
  | { purpose: 'registration'; uid: string; sessionId: string }
);

type ChallengeDeps = Pick<Deps, 'clock' | 'keyRing'>;

const version = 1;
const purposes = { 'sign-in': 1, registration: 2 } as const;
const keyAt = 2;
const expiryAt = 3;
const nonceAt = 7;
const nonceBytes = 16;
const tagAt = nonceAt + nonceBytes;
const tagBytes = 32;
const challengeBytes = tagAt + tagBytes;

export function newChallenge(deps: ChallengeDeps & Pick<Deps, 'random'>, use: ChallengeUse): string {
  const bytes = Buffer.alloc(challengeBytes);
  bytes[0] = version;
  bytes[1] = purposes[use.purpose];
  bytes[keyAt] = deps.keyRing.currentKeyId;
  bytes.writeUInt32BE(secondsOf(deps.clock.now()) + limits.passkeyChallengeSeconds, expiryAt);
  deps.random.bytes(nonceBytes).copy(bytes, nonceAt);
  tagOf(deps, use, bytes).copy(bytes, tagAt);
  return bytes.toString('base64url');
}

/** The hash by which a challenge of this service for this use is remembered, or why it is refused. */
export function judgeChallenge(
  deps: ChallengeDeps,
  use: ChallengeUse,
  challenge: string,
): { hash: Buffer } | { refusal: 'wrong-challenge' | 'expired-challenge' } {
  const bytes = Buffer.from(challenge, 'base64url');
  // Encoding again rejects what decoding tolerates: foreign characters, padding, spare bits.
  const isWhole = bytes.length === challengeBytes && bytes.toString('base64url') === challenge;
  const isKnown = isWhole && bytes[0] === version && deps.keyRing.has(bytes[keyAt] as number);
  if (!isKnown || !equalInConstantTime(tagOf(deps, use, bytes), bytes.subarray(tagAt)))
    return { refusal: 'wrong-challenge' };
  if (bytes[1] !== purposes[use.purpose]) return { refusal: 'wrong-challenge' };
  if (secondsOf(deps.clock.now()) > bytes.readUInt32BE(expiryAt)) return { refusal: 'expired-challenge' };
  return { hash: sha256(bytes) };
}

function tagOf(deps: Pick<Deps, 'keyRing'>, use: ChallengeUse, bytes: Buffer): Buffer {
  const key = deps.keyRing.derive(bytes[keyAt] as number, 'passkey challenge');
  const owner = use.purpose === 'registration' ? [use.uid, use.sessionId] : [];
  const bound = JSON.stringify([use.appId, use.purpose, ...owner]);
  return hmacSha256(key, Buffer.concat([Buffer.from(bound), bytes.subarray(0, tagAt)]));
}
