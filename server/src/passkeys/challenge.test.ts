// The bytes of a challenge; passkeys.test.ts and sign-in.test.ts have the calls that it is sent in.
import { limits } from '@foyer/contract';
import { expect, test } from 'vitest';
import { keyRing } from '../../engines/keys/key-ring.js';
import { manualClock } from '../../test/harness.js';
import { systemRandom } from '../lib/crypto/random.js';
import { type ChallengeUse, judgeChallenge, newChallenge } from './challenge.js';

const random = systemRandom();
const ring = keyRing(['a-secret-key-for-tests-alone-and-long-enough'], random);

test.each(['padding', 'a foreign character', 'spare bits'])('a challenge with %s is refused', (change) => {
  const deps = { clock: manualClock(), keyRing: ring, random };
  const use: ChallengeUse = { appId: 'app', purpose: 'sign-in' };
  const challenge = newChallenge(deps, use);
  const changed = {
    padding: `${challenge}==`,
    'a foreign character': `${challenge} `,
    'spare bits': `${challenge.slice(0, -1)}${String.fromCharCode(challenge.charCodeAt(73) + 1)}`,
  }[change] as string;
  expect(Buffer.from(changed, 'base64url')).toEqual(Buffer.from(challenge, 'base64url'));
  expect(judgeChallenge(deps, use, challenge)).toEqual({ hash: expect.any(Buffer) });
  expect(judgeChallenge(deps, use, changed)).toEqual({ refusal: 'wrong-challenge' });
});

test.each<[number, ChallengeUse]>([
  [1, { appId: 'app', purpose: 'sign-in' }],
  [2, { appId: 'app', purpose: 'registration', uid: 'ada', sessionId: 'session' }],
])('a challenge has 55 bytes: version, purpose %i, key id, expiry, 16 random ones, tag', (purpose, use) => {
  const clock = manualClock();
  const drawn = Buffer.from([...Array(16).keys()]);
  const deps = {
    clock,
    keyRing: ring,
    random: { ...random, bytes: (count: number) => drawn.subarray(0, count) },
  };
  const challenge = newChallenge(deps, use);
  const bytes = Buffer.from(challenge, 'base64url');
  expect(bytes).toHaveLength(55);
  expect([...bytes.subarray(0, 3)]).toEqual([1, purpose, ring.currentKeyId]);
  expect(bytes.readUInt32BE(3)).toBe(
    Math.floor(clock.now().getTime() / 1_000) + limits.passkeyChallengeSeconds,
  );
  expect(bytes.subarray(7, 23)).toEqual(drawn);
  clock.advance(limits.passkeyChallengeSeconds * 1_000);
  expect(judgeChallenge(deps, use, challenge)).toEqual({ hash: expect.any(Buffer) });
  clock.advance(1_000);
  expect(judgeChallenge(deps, use, challenge)).toEqual({ refusal: 'expired-challenge' });
});
