// Key pairs for tests that may be exported as JWK. Those of Node's generateKeyPairSync share a lock with the job that generated
// them: if the garbage collector ends the job during such an export, the process waits for itself for ever.
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyPairKeyObjectResult,
} from 'node:crypto';

const privateKeyEncoding = { format: 'der', type: 'pkcs8' } as const;
const publicKeyEncoding = { format: 'der', type: 'spki' } as const;
const pairs = new Map<string, KeyPairKeyObjectResult>();

/** One for each name in a process: creating one takes a tenth of a second or more. */
export function rsaKeyPair(name: string): KeyPairKeyObjectResult {
  let pair = pairs.get(name);
  if (!pair) {
    const options = { modulusLength: 2_048, privateKeyEncoding, publicKeyEncoding };
    pair = pairOf(generateKeyPairSync('rsa', options).privateKey);
    pairs.set(name, pair);
  }
  return pair;
}

export function ecKeyPair(namedCurve = 'P-256'): KeyPairKeyObjectResult {
  return pairOf(generateKeyPairSync('ec', { namedCurve, privateKeyEncoding, publicKeyEncoding }).privateKey);
}

function pairOf(pkcs8: Buffer): KeyPairKeyObjectResult {
  const privateKey = createPrivateKey({ key: pkcs8, ...privateKeyEncoding });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}
