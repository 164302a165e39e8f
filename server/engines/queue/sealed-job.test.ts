import { expect, test } from 'vitest';
import { systemRandom } from '../../src/lib/crypto/random.js';
import { keyRing } from '../keys/index.js';
import { sealJob, unsealJob } from './sealed-job.js';

const ring = keyRing(['a-secret-key-for-tests-alone-and-long-enough'], systemRandom());

// `{"email":""}` has 12 characters, and a nonce, a tag and the id of the key have 30 bytes.
test.each([
  [0, 542],
  [499, 542],
  [500, 1_054],
  [1_011, 1_054],
  [1_012, 1_566],
])('the data of a job with an email of %d characters take %d bytes', (length, bytes) => {
  const data = { email: 'x'.repeat(length) };
  const sealed = sealJob(ring, 'mail', data);
  expect(Buffer.from(sealed.sealed, 'base64')).toHaveLength(bytes);
  expect(unsealJob(ring, 'mail', sealed)).toEqual(data);
});

test('the data of a job are those of its queue alone', () => {
  expect(() => unsealJob(ring, 'push', sealJob(ring, 'mail', {}))).toThrow();
});
