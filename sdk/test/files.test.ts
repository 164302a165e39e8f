// Files against the real service: upload progress, token refresh and retries.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { testService } from '../../server/test/harness.js';
import { shared } from '../../server/test/shared.js';
import type { ClientOptions } from '../src/api.js';
import type { SdkEvent } from '../src/events.js';
import { files } from '../src/features/files.js';
import type { UploadProgress } from '../src/features/upload.js';
import { codeOf } from './harness.js';
import { signedUp as signedUpAt } from './service-client.js';

const service = shared(() => testService());
afterEach(() => vi.unstubAllGlobals());

async function signedUp(options: Partial<ClientOptions> = {}) {
  const { client } = await signedUpAt(service, options);
  const uploads = () => client.answers.filter((answer) => answer.endsWith(' POST /files'));
  return { client, uploads };
}

const text = (name: string, size = 5) => new File(['x'.repeat(size)], name, { type: 'text/plain' });
const bytesAt = async (url: string) =>
  (await fetch(service.url + new URL(url).pathname + new URL(url).search)).text();

test('a file is uploaded, read, linked and deleted', async () => {
  const { client } = await signedUp();
  const uploaded = await files(client).upload(text('note.txt'), { visibility: 'public' });
  const note = { name: 'note.txt', size: 5, content_type: 'text/plain', visibility: 'public' };
  expect(uploaded).toMatchObject(note);
  expect(await files(client).get(uploaded.id)).toEqual(uploaded);
  const address = await files(client).url(uploaded.id, { expiresInSeconds: 60, download: true });
  expect(address.url).toContain('download=true');
  expect(await bytesAt(address.url)).toBe('xxxxx');
  await files(client).delete(uploaded.id);
  expect(await codeOf(files(client).get(uploaded.id))).toBe('files/not-found');
});

test('a blob has the given name', async () => {
  const { client } = await signedUp();
  const blob = new Blob(['hello'], { type: 'text/csv' });
  expect(await files(client).upload(blob, { name: 'a.csv' })).toMatchObject({
    name: 'a.csv',
    content_type: 'text/csv',
    visibility: 'private',
  });
  expect((await files(client).upload(blob)).name).toBe('file');
});

test('a public file requires no session, a private one its owner', async () => {
  const { client } = await signedUp();
  const [open, own] = [
    await files(client).upload(text('open.txt'), { visibility: 'public' }),
    await files(client).upload(text('own.txt')),
  ];
  await client.auth.signOut();
  expect((await files(client).get(open.id)).id).toBe(open.id);
  expect((await files(client).url(open.id)).public_url).toBe(open.public_url);
  expect(await codeOf(files(client).get(own.id))).toBe('files/not-found');
  expect(await codeOf(files(client).delete(own.id))).toBe('client/signed-out');
  expect(await codeOf(files(client).upload(text('a.txt')))).toBe('client/signed-out');
});

test('an error of the service is thrown with its code', async () => {
  const { client, uploads } = await signedUp();
  const tooLarge = text('big.txt', 26 * 1_024 * 1_024);
  expect(await codeOf(files(client).upload(tooLarge))).toBe('files/too-large');
  expect(uploads()).toEqual(['413 POST /files']);
});

describe('progress', () => {
  const size = 3 * 1_024 * 1_024;

  function expectRising(told: UploadProgress[], least: number): void {
    expect(told.length).toBeGreaterThanOrEqual(least);
    const loaded = told.map((progress) => progress.loaded);
    expect(loaded).toEqual([...loaded].sort((a, b) => a - b));
    expect(Math.max(...loaded)).toBe(size);
    expect(told.at(-1)).toEqual({ loaded: size, total: size });
    for (const { total } of told) expect(total).toBe(size);
  }

  const passed: typeof fetch = (input, init) => fetch(input, init);
  test.each([
    ['in Node', () => undefined, undefined, 10, 0],
    ['with XMLHttpRequest', () => FetchingXhr, undefined, 3, 1],
    // As `cookieSession` gives it.
    ['with XMLHttpRequest beside cookies', () => FetchingXhr, { given: undefined }, 3, 1],
    ['with the fetch of the app beside cookies', () => FetchingXhr, { given: passed }, 10, 0],
  ])('rises to the size of the file %s', async (_, xhr, given, least, sends) => {
    vi.stubGlobal('XMLHttpRequest', xhr());
    const { client } = await signedUp(given && { fetch: Object.assign(passed.bind(null), given) });
    const told: UploadProgress[] = [];
    const onProgress = (progress: UploadProgress) => void told.push(progress);
    const before = FetchingXhr.sent;
    const file = await files(client).upload(text('big.txt', size), { onProgress });
    expect(file).toMatchObject({ size, name: 'big.txt' });
    expectRising(told, least);
    expect(FetchingXhr.sent - before).toBe(sends);
    const tooLarge = text('big.txt', 26 * 1_024 * 1_024);
    expect(await codeOf(files(client).upload(tooLarge, { onProgress: () => {} }))).toBe('files/too-large');
  });
});

test.each([
  ['in Node', () => undefined],
  ['with XMLHttpRequest', () => FetchingXhr],
])('a listener that throws and a proxy do not break an upload %s', async (_, xhr) => {
  vi.stubGlobal('XMLHttpRequest', xhr());
  const events: SdkEvent[] = [];
  const { client } = await signedUp({ onEvent: (event) => events.push(event) });
  const onProgress = () => {
    throw new Error('in onProgress');
  };
  expect(await files(client).upload(text('note.txt'), { onProgress })).toMatchObject({ size: 5 });
  expect(events).toContainEqual({ type: 'listener-error', error: new Error('in onProgress') });
  for (const answer of [() => new Response(null, { status: 204 }), () => Response.json({ data: {} })]) {
    vi.stubGlobal('fetch', async () => answer());
    expect(await codeOf(files(client).upload(text('note.txt'), { onProgress }))).toBe('client/bad-response');
  }
});

test('what is no file is refused before anything is sent', async () => {
  const { client, uploads } = await signedUp();
  const input: File[] = [];
  expect(await codeOf(files(client).upload(input[0]!))).toBe('client/invalid-argument');
  expect(uploads()).toEqual([]);
});

describe('a token that the service rejects', () => {
  test.each([undefined, () => {}])('is refreshed, and the file is stored once', async (onProgress) => {
    const { client, uploads } = await signedUp();
    service.clock.advance(2 * 3_600_000);
    const { id } = await files(client).upload(text('late.txt'), { onProgress });
    expect(uploads()).toEqual(['401 POST /files', '201 POST /files']);
    const { owner_uid } = await files(client).get(id);
    const count = await service.database.prisma.file.count({ where: { ownerId: owner_uid as string } });
    expect(count).toBe(1);
  });

  test('is reported when the file may be readable only once', async () => {
    vi.stubGlobal('FormData', NativeForm);
    const sent: unknown[] = [];
    const { client } = await signedUp({
      fetch: async (input, init) => {
        if (!String(input).endsWith('/files')) return fetch(input, init);
        sent.push((init as unknown as { body: NativeForm }).body.parts);
        return fetch(input, { ...init, body: null });
      },
    });
    const photo = { uri: 'file:///photo.jpg', name: 'photo.jpg', type: 'image/jpeg' };
    expect(await codeOf(files(client).upload(photo, { visibility: 'public' }))).toBe(
      'request/unsupported-media-type',
    );
    service.clock.advance(2 * 3_600_000);
    expect(await codeOf(files(client).upload(photo))).toBe('auth/token-expired');
    const file = ['file', photo];
    expect(sent).toEqual([[['visibility', 'public'], file], [file]]);
  });
});

test('an aborted upload sends nothing more', async () => {
  const { client } = await signedUp();
  const controller = new AbortController();
  const upload = files(client).upload(text('big.txt', 20 * 1_024 * 1_024), {
    signal: controller.signal,
    onProgress: () => controller.abort(),
  });
  expect(await codeOf(upload)).toBe('client/aborted');
});

test.each([
  ['its caller aborts', 'client/aborted'],
  ['the browser aborts', 'client/network'],
])('an upload with XMLHttpRequest that %s sends nothing more', async (what, code) => {
  const requests: FetchingXhr[] = [];
  let aborts = 0;
  class PendingXhr extends FetchingXhr {
    override async send(): Promise<void> {
      requests.push(this);
    }
    override abort(): void {
      aborts += 1;
    }
  }
  vi.stubGlobal('XMLHttpRequest', PendingXhr);
  const { client } = await signedUp();
  const controller = new AbortController();
  const options = { signal: controller.signal, onProgress: () => {} };
  const upload = codeOf(files(client).upload(text('a.txt'), options));
  await expect.poll(() => requests.length).toBe(1);
  if (what === 'the browser aborts') requests[0]!.onabort();
  else controller.abort();
  expect(await upload).toBe(code);
  expect(aborts).toBe(what === 'the browser aborts' ? 0 : 1);
});

test('an upload whose response is lost is not retried', async () => {
  let sends = 0;
  const { client } = await signedUp({
    fetch: (input, init) => {
      if (!String(input).endsWith('/files')) return fetch(input, init);
      sends += 1;
      return Promise.reject(new TypeError('the network is gone'));
    },
  });
  expect(await codeOf(files(client).upload(text('a.txt')))).toBe('client/network');
  expect(sends).toBe(1);
  expect(client.auth.state).toMatchObject({ status: 'signedIn', online: false });
});

/** React Native's FormData: accepts URIs in place of files, which its network code reads. */
class NativeForm {
  readonly parts: unknown[][] = [];
  append(...part: unknown[]): void {
    this.parts.push(part);
  }
}

/** The part of XMLHttpRequest that uploads use. */
class FetchingXhr {
  static sent = 0;
  upload: { onprogress?: (event: object) => void } = {};
  status = 0;
  responseText = '';
  onload = () => {};
  onerror = () => {};
  onabort = () => {};
  private url = '';
  private readonly headers: Record<string, string> = {};
  private answer: Response | undefined;

  open(_method: string, url: string): void {
    this.url = url;
  }
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }
  getResponseHeader(name: string): string | null {
    return this.answer?.headers.get(name) ?? null;
  }
  abort(): void {
    this.onabort();
  }
  async send(body: FormData): Promise<void> {
    FetchingXhr.sent += 1;
    const total = (body.get('file') as File).size + 200;
    for (const loaded of [total / 4, total / 2, total])
      this.upload.onprogress?.({ loaded, total, lengthComputable: true });
    this.answer = await fetch(this.url, { method: 'POST', headers: this.headers, body });
    this.status = this.answer.status;
    this.responseText = await this.answer.text();
    this.onload();
  }
}
