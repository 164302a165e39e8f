import assert from 'node:assert/strict';
import { isFoyerError } from '@foyer/sdk';
import { cloneable, signIn } from './page.ts';
import { connect, password } from './service.js';

const client = connect();
const email = 'errors@example.com';
await client.auth.signUp({ email, password });
assert.equal(await signIn(client, email, 'wrong password'), 'The email or the password is wrong.');
assert.equal(await signIn(client, email, password), 'Welcome.');
const error = await client.me
  .changePassword({ current_password: 'wrong', password })
  .catch((reason) => reason);
assert.equal(isFoyerError(structuredClone(error)), false);
assert.equal(isFoyerError(structuredClone(cloneable(error)), 'auth/invalid-credential'), true);
