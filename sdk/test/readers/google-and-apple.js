// The scripts of Google and Apple are stand-ins; the tokens are those of a provider that the service trusts.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { admin, connect, fromProvider } from './service.js';

const clientId = '1234.apps.googleusercontent.com';
await admin.settings.update({
  provider_a: { client_ids: { web: [clientId] } },
  provider_b: { services_ids: ['com.example.services'], bundle_ids: ['com.example.app'] },
});

let initialized;
globalThis.google = {
  accounts: {
    id: {
      initialize: (given) => {
        initialized = given;
      },
      renderButton: (_, { type }) => assert.equal(type, 'standard'),
    },
  },
};
const page = await import('./page.ts');
const client = connect();
const signedIn = (user) =>
  new Promise((resolve) => {
    const stop = client.auth.onStateChange((state) => {
      if (state.status !== 'signedIn' || (user && state.user?.email !== user)) return;
      stop();
      resolve(state);
    });
  });

const errors = [];
await page.showGoogleButton(client, {}, (error) => errors.push(error.code));
assert.equal(initialized.client_id, clientId);
const first = initialized;
const tokenFor = async ({ nonce }) =>
  (await fromProvider({ aud: clientId, sub: 'google-user', email: 'g@example.com', nonce })).id_token;
first.callback({ credential: await tokenFor({ nonce: 'of another attempt' }) });
while (initialized === first) await new Promise((resolve) => setTimeout(resolve, 10));
assert.deepEqual(errors, ['auth/invalid-credential']);
const withGoogle = signedIn('g@example.com');
initialized.callback({ credential: await tokenFor(initialized) });
await withGoogle;
await client.auth.signOut();

/** Apple hashes nothing: the token has the nonce that it was given. */
const apple = (aud, sub, nonce) =>
  fromProvider({ aud, sub, email: `${sub}@example.com`, nonce, provider: 'b' });
let given;
globalThis.AppleID = {
  auth: {
    init: (options) => {
      given = options;
    },
    async signIn() {
      const { id_token, code } = await apple(given.clientId, 'apple-web', given.nonce);
      return { authorization: { id_token, code }, user: { name: { firstName: 'Ada', lastName: 'Web' } } };
    },
  },
};
const click = await page.prepareApple(client);
await click();
assert.equal((await client.me.get()).last_name, 'Web');
await client.auth.signOut();

globalThis.getRandomBytes = randomBytes;
globalThis.AppleAuthentication = {
  AppleAuthenticationScope: { FULL_NAME: 0, EMAIL: 1 },
  async signInAsync({ nonce }) {
    const { id_token, code } = await apple('com.example.app', 'apple-ios', nonce);
    const fullName = { givenName: 'Grace', familyName: 'Hopper' };
    return { identityToken: id_token, authorizationCode: code, fullName };
  },
};
await page.signInWithApple(client);
assert.equal((await client.me.get()).first_name, 'Grace');
await client.auth.signOut();

const kept = new Map();
const storage = {
  getItem: (key) => kept.get(key) ?? null,
  setItem: (key, value) => kept.set(key, value),
  removeItem: (key) => kept.delete(key),
};
const proof = async (nonce) => {
  const hashed = createHash('sha256').update(nonce).digest('hex');
  const { id_token, code } = await apple('com.example.services', 'apple-name', hashed);
  return { identity_token: id_token, authorization_code: code, nonce };
};
const refused = { ...(await proof('nonce-1')), nonce: 'another', first_name: 'Alan', last_name: 'Turing' };
await assert.rejects(page.signInKeepingName(client, storage, refused), { code: 'auth/invalid-credential' });
await page.signInKeepingName(client, storage, await proof('nonce-2'));
assert.equal((await client.me.get()).first_name, 'Alan');
assert.equal(kept.size, 0);
