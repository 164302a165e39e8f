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

test.each([
  [400, true],
  [422, true],
  [408, false],
  [429, false],
  [500, false],
  [503, false],
])(
  'a passkey whose registration is refused with %d is forgotten by the browser: %s',
  async (status, isForgotten) => {
    const { service } = setUp();
    const forgotten: unknown[] = [];
    vi.stubGlobal('PublicKeyCredential', {
      signalUnknownCredential: async (unknown: unknown) => void forgotten.push(unknown),
    });
    const response = { clientDataJSON: new ArrayBuffer(1), attestationObject: new ArrayBuffer(1) };
    const created = { id: 'cQ', type: 'public-key', response };
    vi.stubGlobal('navigator', { credentials: { create: async () => created } });
    onTestFinished(() => void vi.unstubAllGlobals());
    const { fetch } = service.options;
    const client = createClient({
      ...service.options,
      storage: memoryStorage(),
      maxRetries: 0,
      fetch: async (input, init) => {
        if (!String(input).endsWith('/me/passkeys')) return fetch(input, init);
        return Response.json({ error: { code: 'request/refused', message: '', fields: {} } }, { status });
      },
    });
    await client.auth.signIn(ada);
    expect(await codeOf(passkeys(client).register())).toBe('request/refused');
    expect(forgotten).toEqual(isForgotten ? [{ rpId: expect.any(String), credentialId: 'cQ' }] : []);
  },
);

test('without passkeys nothing is sent, and nothing is available', async () => {
  const { service, newClient, device } = setUp();
  const client = newClient();
  for (const keys of [passkeys(client), passkeys(client, { ...device, isSupported: () => false })]) {
    expect(await keys.isAvailable()).toBe(false);
    expect(await codeOf(keys.signIn())).toBe('client/passkey-unsupported');
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
