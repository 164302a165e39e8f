// The app that react-native.test.ts bundles with the packed SDK: it signs in, meets an expired token and a lost response, restarts
// and signs out, against a service of its own.
import './platform';
import { createClient, createNonce, isFoyerError } from '@foyer/sdk';
import { foreground, secureStorage } from '@foyer/sdk/expo';
import { FoyerProvider, useUser } from '@foyer/sdk/react';
import { fileStorage, memoryStorage } from '@foyer/sdk/storage';
import { createElement } from 'react';

const ada = { email: 'ada@example.com', password: 'correct horse' };
const user = { uid: 'u1', email: ada.email };
const requests = [];
let serial = 0;
let isLost = true;

const tokens = () => ({
  access_token: `access-${++serial}`,
  refresh_token: `refresh-${serial}`,
  expires_in: 900,
  token_type: 'Bearer',
  user,
});

/** The pages of the list of devices, by cursor. */
const pages = {
  first: { items: [{ id: 's1' }, { id: 's2' }], next_cursor: 'second' },
  second: { items: [{ id: 's3' }], next_cursor: null },
};

async function answer(route, { headers, body }) {
  if (route === 'POST /auth/sign-in' && JSON.parse(body).password !== ada.password)
    return [401, { error: { code: 'auth/invalid-credential', message: '' } }];
  if (/sign-in|refresh/.test(route)) return [200, { data: tokens() }];
  if (headers.get('Authorization') !== `Bearer access-${serial}` || serial < 2)
    return [401, { error: { code: 'auth/token-expired', message: '' } }];
  if (route.startsWith('GET /me/sessions'))
    return [200, { data: pages[route.split('cursor=')[1] ?? 'first'] }];
  if (route !== 'GET /me') return [204];
  // The response of the first one is lost.
  if (isLost) {
    isLost = false;
    throw new TypeError('Network request failed');
  }
  return [200, { data: user }];
}

async function fetch(url, init) {
  const route = `${init.method} ${url.split('/api/v2')[1]}`;
  requests.push(route);
  const [status, body] = await answer(route, init);
  return new Response(body && JSON.stringify(body), { status });
}

// As expo-secure-store, AsyncStorage and AppState.
const keychain = new Map();
const secureStore = {
  AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY: 0,
  getItemAsync: async (key) => keychain.get(key) ?? null,
  setItemAsync: async (key, value) => void keychain.set(key, value),
  deleteItemAsync: async (key) => void keychain.delete(key),
};
const installed = new Map();
const privateStorage = {
  getItem: async (key) => installed.get(key),
  setItem: async (key, value) => void installed.set(key, value),
};
const appState = { addEventListener: () => ({ remove() {} }) };

const start = () =>
  createClient({
    baseUrl: 'https://accounts.example.com/api/v2',
    appKey: 'pk_1',
    fetch,
    storage: secureStorage({ secureStore, privateStorage }),
    wakeOn: foreground(appState),
  });

async function main() {
  const client = start();
  const wrong = await client.auth.signIn({ ...ada, password: 'wrong' }).catch((error) => error);
  await client.auth.signIn(ada);
  const me = await client.me.get();
  client.dispose();
  const restarted = start();
  const state = await restarted.auth.ready();
  // Hermes has no `Symbol.asyncIterator`, for which the compiled loop and generators look first.
  const devices = [];
  for await (const { id } of restarted.me.sessions()) devices.push(id);
  const { remote } = await restarted.auth.signOut();
  restarted.dispose();
  const { raw, sha256 } = await createNonce({ randomBytes: (count) => new Uint8Array(count).fill(7) });
  let refusal = '';
  try {
    fileStorage('/tmp');
  } catch (error) {
    refusal = error.message;
  }
  // The storage forgets the session after the sign-out has resolved.
  for (const until = Date.now() + 5_000; keychain.size > 0 && Date.now() < until; ) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const element = createElement(FoyerProvider, { client });
  return {
    wrong: isFoyerError(wrong, 'auth/invalid-credential') && wrong instanceof Error,
    me: me.email,
    restarted: [state.status, state.uid],
    devices,
    asyncIterator: typeof Symbol.asyncIterator,
    remote,
    stored: [...keychain.values()],
    requests,
    nonce: [raw.length, sha256.length],
    refusal,
    react: [typeof element.type, typeof useUser, memoryStorage().persistent],
  };
}

main().then(
  (result) => print(JSON.stringify(result)),
  (error) => print(`failed: ${error.stack}`),
);
