// The door of the engine: encryption at rest, and private keys as operators paste them. README.md says what it promises.
export { type KeyRing, keyRing, minEncryptionKeyBytes, storedEncryptionKey } from './key-ring.js';
export { readPrivateKey } from './pasted-key.js';
export { readServiceAccount } from './pasted-service-account.js';
export { privateKeyOf, UnusableKeyError } from './private-key.js';
export { reencryptRows } from './reencrypt.js';
