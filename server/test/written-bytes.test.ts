// What one user writes: a quota limits what is stored, these budgets how often the same bytes are replaced.
import { readdir } from 'node:fs/promises';
import { limits } from '@foyer/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestUser } from './harness.js';
import { type LimitedService, limitedService } from './limited-service.js';
import { rawAnswer, rawConnection } from './raw-http.js';
import { expectRefusal } from './refusal.js';
import { shared } from './shared.js';

const rules = {
  'record-kilobytes': { limit: 10, windowSeconds: 600 },
  'file-megabytes': { limit: 2, windowSeconds: 3_600 },
};
const service = shared<LimitedService>(() => limitedService(rules));
let user: TestUser;
beforeAll(async () => {
  const body = { name: 'notes', access_mode: 'owner' };
  await service.call('POST', '/admin/collections', { token: service.app.secretKey, body });
});

/** Until the windows of the earlier tests have ended, a user has counts of their own. */
async function newUser(): Promise<TestUser> {
  user = await service.newUser();
  return user;
}

const text = (kilobytes: number) => 'x'.repeat(kilobytes * 1_024 - 100);
const write = (method: string, id: string, fields: object, token = user.tokens.access_token) =>
  service.call(method, `/data/notes/${id}`, { token, body: { fields } });

function expectLimited(answer: Parameters<typeof expectRefusal>[0], policy: string): void {
  expectRefusal(answer, 'request/rate-limited');
  expect(answer.headers.get('ratelimit-policy')).toBe(policy);
}

describe('records', () => {
  const policy = '"record-kilobytes";q=10;w=600';

  test('are refused once the kilobytes of the user are used up, and written again after the window', async () => {
    await newUser();
    for (let count = 0; count < 3; count += 1)
      expect((await write('PUT', 'a', { text: text(4) })).status).toBeLessThan(300);
    expectLimited(await write('PUT', 'a', { text: text(4) }), policy);
    expectLimited(
      await service.call('POST', '/data/notes', { token: user.tokens.access_token, body: { fields: {} } }),
      policy,
    );
    const { access_token: token } = user.tokens;
    expect((await service.call('GET', '/data/notes/a', { token })).status).toBe(200);
    service.clock.advance(600_000);
    expect((await write('PUT', 'a', { text: text(4) })).status).toBe(200);
  });

  test('a merge counts the whole record', async () => {
    await newUser();
    expect((await write('PUT', 'b', { text: text(6) })).status).toBe(201);
    expect((await write('PATCH', 'b', { n: 1 })).status).toBe(200);
    expectLimited(await write('PATCH', 'b', { n: 2 }), policy);
  });

  test('a merge that the quota refuses counts the whole record, too', async () => {
    const body = { data: { user_quota_bytes: 5 * 1_024 } };
    await service.call('PATCH', '/admin/settings', { token: service.app.secretKey, body });
    await newUser();
    expect((await write('PUT', 'e', { text: text(4) })).status).toBe(201);
    expectRefusal(await write('PATCH', 'e', { more: text(2) }), 'data/quota-exceeded');
    expectLimited(await write('PATCH', 'e', { n: 1 }), policy);
    const usual = { data: { user_quota_bytes: limits.userDataBytes.default } };
    await service.call('PATCH', '/admin/settings', { token: service.app.secretKey, body: usual });
  });

  test('of another user and of the backend are not affected', async () => {
    const { tokens } = await newUser();
    await write('PUT', 'c', { text: text(10) });
    expectLimited(await write('PATCH', 'c', {}), policy);
    expect((await write('PATCH', 'c', {}, service.app.secretKey)).status).toBe(200);
    await newUser();
    expect((await write('PUT', 'd', {})).status).toBe(201);
    expectLimited(await write('PATCH', 'c', {}, tokens.access_token), policy);
  });
});

test('uploads are refused once the megabytes of the user are used up, before the bytes are read', async () => {
  await newUser();
  const upload = (bytes: number) => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)]), 'a.bin');
    return service.call('POST', '/files', { token: user.tokens.access_token, form });
  };
  expect((await upload(1.5 * 1_024 * 1_024)).status).toBe(201);
  expectLimited(await upload(1), '"file-megabytes";q=2;w=3600');
  service.clock.advance(3_600_000 - 1);
  user.tokens = (await service.refresh(user.tokens.refresh_token)).data;
  expectLimited(await upload(1), '"file-megabytes";q=2;w=3600');
  service.clock.advance(1);
  expect((await upload(1)).status).toBe(201);
});

test('an upload whose length is over the maximum of a file is refused, and none of its megabytes count', async () => {
  await newUser();
  const { access_token: token } = user.tokens;
  const head = [
    'POST /api/v2/files HTTP/1.1',
    'Host: accounts.test',
    `X-App-Key: ${service.app.app.appKey}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: multipart/form-data; boundary=of-a-test',
    `Content-Length: ${2_200_000_000}`,
  ];
  const refused = await rawAnswer(service.listening.port, `${head.join('\r\n')}\r\n\r\n`);
  expectRefusal(refused, 'files/too-large');
  const form = new FormData();
  form.append('file', new Blob(['a photo']), 'a.bin');
  expect((await service.call('POST', '/files', { token, form })).status).toBe(201);
});

test('the megabytes of an upload without a length that is refused after its file was written count as well', async () => {
  await newUser();
  const boundary = 'of-a-test';
  const part = (fields: string, content: string | Uint8Array) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${fields}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ];
  const form = Buffer.concat([
    ...part('name="file"; filename="a.bin"', new Uint8Array(1.5 * 1_024 * 1_024)),
    ...part('name="visibility"', 'hidden'),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  const upload = async () => {
    const answer = await fetch(`${service.url}/api/v2/files`, {
      method: 'POST',
      headers: {
        'x-app-key': service.app.app.appKey,
        authorization: `Bearer ${user.tokens.access_token}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
      // A stream is sent in chunks, without Content-Length.
      body: new Blob([form]).stream(),
      duplex: 'half',
    });
    return ((await answer.json()) as { error: { code: string } }).error.code;
  };
  expect(await upload()).toBe('request/validation-failed');
  expect(await upload()).toBe('request/rate-limited');
});

test('an upload without a length ends once the megabytes of the user are used up, and nothing of it is stored', async () => {
  await newUser();
  const connection = await rawConnection(service.listening.port);
  const head = [
    'POST /api/v2/files HTTP/1.1',
    'Host: accounts.test',
    `X-App-Key: ${service.app.app.appKey}`,
    `Authorization: Bearer ${user.tokens.access_token}`,
    'Content-Type: multipart/form-data; boundary=of-a-test',
    'Transfer-Encoding: chunked',
  ];
  const bytes = Buffer.concat([
    Buffer.from('--of-a-test\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'),
    Buffer.alloc(2.5 * 1_024 * 1_024),
  ]);
  // The form goes on after the answer.
  connection.send(`${head.join('\r\n')}\r\n\r\n${bytes.length.toString(16)}\r\n`);
  connection.send(bytes);
  const refused = await connection.answer();
  connection.close();
  expectLimited(refused, '"file-megabytes";q=2;w=3600');
  expect(await service.database.prisma.file.count({ where: { ownerId: user.uid } })).toBe(0);
  const { fileStore } = service.deps.config;
  const stored = await readdir((fileStore as { directory: string }).directory, { recursive: true });
  expect(stored.filter((path) => path.endsWith('.part'))).toEqual([]);
});
