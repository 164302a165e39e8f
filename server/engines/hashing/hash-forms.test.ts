// Which stored hashes cost no more than this service may ask for.
import { expect, test } from 'vitest';
import { isOwnHash } from './hash-forms.js';

const digest = `${'A'.repeat(22)}$${'A'.repeat(43)}`;

test.each([
  ['m=65536,t=10,p=1', true],
  ['m=65536,p=1,t=10', true],
  ['m=65537,t=10,p=1', false],
  ['m=65536,t=11,p=1', false],
  ['m=65536,p=1,t=11', false],
])('a hash with %s is accepted: %s', (parameters, isAccepted) => {
  expect(isOwnHash(`$argon2id$v=19$${parameters}$${digest}`)).toBe(isAccepted);
});
