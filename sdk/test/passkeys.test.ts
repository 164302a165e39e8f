// Passkeys of a native module, and what its errors become; those of the browser: ways-in-browser.test.ts.
import { expect, onTestFinished, test, vi } from 'vitest';
import { createClient, memoryStorage, passkeys } from '../src/index.js';
import { fakeService } from '../src/testing/index.js';
import { codeOf } from './harness.js';

const ada = { email: 'ada@example.com', password: 'correct horse' };

function setUp() {
  const service = fakeService();
  const device = service.passkeyDevice();
  const newClient = () => createClient({ ...service.options, storage: memoryStorage() });
  service.addUser(ada);
  return { service, device, newClient };
}

async function signedIn() {
  const world = setUp();
  const client = world.newClient();
  await client.auth.signIn(ada);
  return { ...world, client, keys: passkeys(client, world.device) };
}

test('a device registers a passkey, signs in with it, renames and removes it', async () => {
  const { device, newClient, keys } = await signedIn();
  expect(await keys.isAvailable()).toBe(true);
  const { id } = await keys.register({ name: 'Phone' });
  const next = newClient();
  expect((await passkeys(next, device).signIn()).user.email).toBe(ada.email);
  expect(next.auth.state).toMatchObject({ status: 'signedIn', user: { email: ada.email } });
  await keys.rename(id, 'Old phone');
  expect((await keys.list()).items).toMatchObject([{ id, name: 'Old phone' }]);
  await keys.remove(id);
  expect((await keys.list()).items).toEqual([]);
  expect(await codeOf(passkeys(newClient(), device).signIn())).toBe('auth/invalid-credential');
});

test('a passkey renews the sign-in time', async () => {
  const { service, client, keys } = await signedIn();
  await keys.register();
  service.advance(360_000);
  expect(await codeOf(keys.register())).toBe('auth/requires-recent-login');
  await client.auth.withRecentSignIn(
    () => client.me.delete(),
    async () => ({ passkey: await keys.proof() }),
  );
  expect(client.auth.state).toEqual({ status: 'signedOut', reason: 'deleted' });
});

test('a device has one passkey of a user', async () => {
  const { keys } = await signedIn();
  await keys.register();
  expect(await codeOf(keys.register())).toBe('auth/passkey-already-registered');
});

const domError = (name: string) => new DOMException('…', name);
const nativeError = (code: string, message: string) => Object.assign(new Error(message), { code });
test.each<[DOMException | Error | null, string]>([
  [null, 'client/passkey-cancelled'],
  [domError('NotAllowedError'), 'client/passkey-cancelled'],
  [nativeError('Passkey Get', 'UserCancelled'), 'client/passkey-cancelled'],
  [nativeError('Passkey Get', 'NoCredentials'), 'client/passkey-cancelled'],
  [nativeError('ERR_USER_CANCELLED', 'The user closed it.'), 'client/passkey-cancelled'],
  [domError('NotSupportedError'), 'client/passkey-unsupported'],
  [domError('ConstraintError'), 'client/passkey-unsupported'],
  [nativeError('Passkey Create', 'NotSupported'), 'client/passkey-unsupported'],
  [domError('SecurityError'), 'client/passkey-wrong-domain'],
  [nativeError('ERR_NOT_CONFIGURED', 'No association.'), 'client/passkey-wrong-domain'],
  [domError('InvalidStateError'), 'auth/passkey-already-registered'],
  [nativeError('Passkey Create', 'DomError: InvalidStateError - …'), 'auth/passkey-already-registered'],
  [domError('UnknownError'), 'client/passkey-failed'],
])('%s of the platform rejects with %s', async (failure, code) => {
  const { newClient } = setUp();
  const answer = async () => {
    if (failure) throw failure;
    return null;
  };
  const keys = passkeys(newClient(), { create: answer, get: answer });
  await expect(keys.signIn()).rejects.toMatchObject({ code, status: 0, ...(failure && { cause: failure }) });
});

/** A client in a browser with one passkey, and what the browser was told to forget. The route is answered with the failure. */
function inBrowser(route: string, failure: { status: number; code: string; fields?: object }) {
  const { service } = setUp();
  const forgotten: unknown[] = [];
  vi.stubGlobal('PublicKeyCredential', {
    signalUnknownCredential: async (unknown: unknown) => void forgotten.push(unknown),
  });
  const bytes = new ArrayBuffer(1);
  const credential = (own: object) => ({
    ...{ id: 'cQ', type: 'public-key' },
    response: { clientDataJSON: bytes, ...own },
  });
  const credentials = {
    create: async () => credential({ attestationObject: bytes }),
    get: async (): Promise<object | null> =>
      credential({ authenticatorData: bytes, signature: bytes, userHandle: null }),
  };
  vi.stubGlobal('navigator', { credentials });
  onTestFinished(() => void vi.unstubAllGlobals());
  const sent: string[] = [];
  const { fetch } = service.options;
  const client = createClient({
    ...service.options,
    storage: memoryStorage(),
    maxRetries: 0,
    fetch: async (input, init) => {
      if (!String(input).endsWith(route)) return fetch(input, init);
      sent.push(String(init?.body));
      const { status, code, fields = {} } = failure;
      if (status === 0) throw new TypeError('offline');
      return Response.json({ error: { code, message: '', fields } }, { status });
    },
  });
  return { client, credentials, forgotten, sent };
}

test.each([
  [400, 'request/refused', true],
  [422, 'request/refused', true],
  [409, 'auth/passkey-already-registered', false],
  [408, 'request/refused', false],
  [429, 'request/refused', false],
  [500, 'request/refused', false],
  [503, 'request/refused', false],
  [0, 'client/network', false],
])(
  'a passkey whose registration fails with %d %s is forgotten by the browser: %s',
  async (status, code, isForgotten) => {
    const { client, forgotten } = inBrowser('/me/passkeys', { status, code });
    await client.auth.signIn(ada);
    expect(await codeOf(passkeys(client).register())).toBe(code);
    expect(forgotten).toEqual(isForgotten ? [{ rpId: expect.any(String), credentialId: 'cQ' }] : []);
  },
);

const unknown = { 'credential.id': ['unknown'] };
test.each<[number, string, object, boolean]>([
  [401, 'auth/invalid-credential', unknown, true],
  [401, 'auth/invalid-credential', {}, false],
  [403, 'auth/user-disabled', unknown, false],
  [0, 'client/network', {}, false],
])(
  'a passkey whose sign-in fails with %d %s and the fields %j is forgotten by the browser: %s',
  async (status, code, fields, isForgotten) => {
    const failure = { status, code, fields };
    const { client, credentials, forgotten, sent } = inBrowser('/auth/passkey/verify', failure);
    expect(await codeOf(passkeys(client).signIn())).toBe(code);
    expect(forgotten).toEqual(isForgotten ? [{ rpId: expect.any(String), credentialId: 'cQ' }] : []);
    // A browser may have no user handle to give, and no passkey.
    expect(JSON.parse(sent[0]!).credential.response.userHandle).toBeNull();
    credentials.get = async () => null;
    expect(await codeOf(passkeys(client).signIn())).toBe('client/passkey-cancelled');
    expect(sent).toHaveLength(1);
  },
);

test.each([
  [async () => true, true],
  [async () => false, false],
  [undefined, false],
])('a browser that answers the question for autofill by %s has it: %s', async (answer, isAvailable) => {
  vi.stubGlobal('PublicKeyCredential', { isConditionalMediationAvailable: answer });
  onTestFinished(() => void vi.unstubAllGlobals());
  const keys = passkeys(setUp().newClient());
  expect(await keys.isAvailable()).toBe(true);
  expect(await keys.isAvailable({ autofill: true })).toBe(isAvailable);
});

test('without passkeys nothing is sent, and nothing is available', async () => {
  const { service, newClient, device } = setUp();
  const client = newClient();
  for (const keys of [passkeys(client), passkeys(client, { ...device, isSupported: () => false })]) {
    expect(await keys.isAvailable()).toBe(false);
    for (const call of [keys.signIn, keys.register, keys.proof])
      expect(await codeOf(call())).toBe('client/passkey-unsupported');
  }
  // A native module has no suggestions in a field.
  const keys = passkeys(client, device);
  expect(await keys.isAvailable({ autofill: true })).toBe(false);
  expect(await codeOf(keys.signIn({ autofill: true }))).toBe('client/passkey-unsupported');
  expect(service.requests).toEqual([]);
});

test('a caller that aborts is not left waiting for a module that ignores it', async () => {
  const { newClient, device } = setUp();
  const controller = new AbortController();
  const get = () => {
    controller.abort();
    return new Promise<null>(() => {});
  };
  const signIn = passkeys(newClient(), { ...device, get }).signIn({ signal: controller.signal });
  expect(await codeOf(signIn)).toBe('client/aborted');
});
