// Uploads in Expo 57, whose own `fetch` replaces that of React Native and refuses the URI of a file.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { testService } from '../../server/test/harness.js';
import { shared } from '../../server/test/shared.js';
import { files, type UploadOptions } from '../src/features/files.js';
import { deviceFiles, ExpoFile, ExpoFormData, expoFetch, NativeXhr } from './expo-platform.js';
import { codeOf } from './harness.js';
import { signedUp } from './service-client.js';

const service = shared(() => testService());
const uri = 'file:///data/note.txt';
const native = { uri, name: 'note.txt', type: 'text/plain' };
const expected = { name: 'note.txt', size: 5, content_type: 'text/plain' };

beforeEach(() => {
  deviceFiles.set(uri, 'hello');
  vi.stubGlobal('FormData', ExpoFormData);
  vi.stubGlobal('XMLHttpRequest', NativeXhr);
  vi.stubGlobal('fetch', expoFetch);
  vi.stubGlobal('navigator', { product: 'ReactNative' });
});
afterEach(() => vi.unstubAllGlobals());

/** The files that an app has, with the number of requests that `fetch` cannot send. */
const kinds: [kind: string, file: () => Parameters<ReturnType<typeof files>['upload']>[0], byXhr: number][] =
  [
    ['a URI', () => native, 1],
    ['a File of expo-file-system', () => new ExpoFile(uri) as unknown as typeof native, 1],
    ['a Blob', () => new File(['hello'], 'note.txt', { type: 'text/plain' }), 0],
  ];
const ways: [way: string, options: UploadOptions, own: object][] = [
  ['without progress', {}, {}],
  ['with progress', { onProgress: () => {} }, {}],
  ['by the fetch of Expo as the option of the client', {}, { fetch: expoFetch }],
  ['by such a fetch, with progress', { onProgress: () => {} }, { fetch: expoFetch }],
];

test.each(
  kinds.flatMap(([kind, file, byXhr]) =>
    ways.map(([way, options, own]) => ({ kind, way, file, byXhr, options, own })),
  ),
)('$kind is uploaded $way', async ({ file, byXhr, options, own }) => {
  const { client } = await signedUp(service, own);
  const before = NativeXhr.sent;
  expect(await files(client).upload(file(), { visibility: 'private', ...options })).toMatchObject(expected);
  expect(NativeXhr.sent - before).toBe(byXhr);
});

test('a file has the name that the app gives it', async () => {
  const { client } = await signedUp(service);
  for (const [, file] of kinds) {
    const { name } = await files(client).upload(file(), { name: 'other.txt' });
    expect(name).toBe('other.txt');
  }
});

test('an error of the network is not taken for a refusal of the file', async () => {
  let sends = 0;
  const { client } = await signedUp(service, {
    fetch: (input, init) => {
      if (!String(input).endsWith('/files')) return expoFetch(input, init);
      sends += 1;
      return Promise.reject(new TypeError('Network request failed'));
    },
  });
  const before = NativeXhr.sent;
  expect(await codeOf(files(client).upload(native))).toBe('client/network');
  expect([sends, NativeXhr.sent - before]).toEqual([1, 0]);
});
