// RSA keys for tests, one for each name in a process: creating one takes a tenth of a second or more.
import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';

const pairs = new Map<string, KeyPairKeyObjectResult>();

export function rsaKeyPair(name: string): KeyPairKeyObjectResult {
  let pair = pairs.get(name);
  if (!pair) {
    pair = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    pairs.set(name, pair);
  }
  return pair;
}
