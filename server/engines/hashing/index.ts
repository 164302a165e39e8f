// The door of the engine: password hashes in worker threads behind fair queues. README.md says what it promises.
export { fitsWhole, isImportableHash, isOwnHash, normalisedPassword } from './hash-forms.js';
export { type HashCaller, type PasswordHasher, passwordHasher } from './password-hasher.js';
