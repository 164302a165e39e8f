import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { type AppSettingsPatch, limits } from '@foyer/contract';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { secretKeyWith } from '../../test/data-scenario.js';
import { fileScenario, type StoreKind } from '../../test/file-scenario.js';
import { rawAnswer, rawConnection } from '../../test/raw-http.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import { sha256 } from '../lib/crypto/digest.js';
import { queueUploadCleanup } from './remove-bytes.js';

const { fileOverheadBytes } = limits;

const mebibyte = 1_024 * 1_024;

describe.each(['disk', 's3'] as StoreKind[])('with files on %s,', (kind) => {
  const scenario = shared(() => fileScenario(kind));
  let token: string;
  beforeAll(async () => {
    token = (await scenario.service.signUp()).tokens.access_token;
  });

  /** A raw request with the user's bearer token. */
  function head(type: string, more: string[]): string {
    const lines = [
      'POST /api/v2/files HTTP/1.1',
      'Host: accounts.test',
      `X-App-Key: ${scenario.service.app.app.appKey}`,
      `Authorization: Bearer ${token}`,
      `Content-Type: ${type}`,
      ...more,
    ];
    return `${lines.join('\r\n')}\r\n\r\n`;
  }
  const form = 'multipart/form-data; boundary=frame';
  const filePart = (
    content: string | Buffer,
    headers = 'Content-Disposition: form-data; name="file"; filename="a.txt"',
  ) =>
    Buffer.concat([Buffer.from(`--frame\r\n${headers}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')]);
  const fieldPart = (name: string, value: string) =>
    Buffer.from(`--frame\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
  const visible = fieldPart('visibility', 'public');
  const otherFile = filePart('x', 'Content-Disposition: form-data; name="other"; filename="a.txt"');
  const end = Buffer.from('--frame--\r\n');
  const send = (parts: Buffer[], type = form) => {
    const body = Buffer.concat(parts);
    return rawAnswer(
      scenario.service.listening.port,
      Buffer.concat([Buffer.from(head(type, [`Content-Length: ${body.length}`])), body]),
    );
  };
  /** Objects in the store without a row. */
  async function leftBehind(): Promise<string[]> {
    const rows = await scenario.service.database.prisma.file.findMany({ select: { id: true } });
    const known = new Set(rows.map(({ id }) => id));
    return (await scenario.stored()).filter((path) => !known.has(path.split('/').at(-1) as string));
  }
  /** Sets the limits until the end of the test. */
  async function settings(files: AppSettingsPatch['files']) {
    changed = true;
    await scenario.service.changeSettings({ files });
    scenario.service.deps.apps.forget();
  }
  const defaults = { max_bytes: 25 * mebibyte, user_quota_bytes: 500 * mebibyte, allowed_types: null };
  let changed = false;
  afterEach(async () => {
    if (changed) await settings(defaults);
    changed = false;
  });

  // The store has no part in these.
  if (kind === 'disk') {
    describe('a form', () => {
      test('may have the visibility before or after the file, and unknown fields', async () => {
        for (const parts of [
          [visible, filePart('hello'), end],
          [filePart('hello'), visible, end],
          [fieldPart('x', 'y'), filePart('hello'), fieldPart('__proto__', 'y'), visible, end],
          [otherFile, filePart('hello'), visible, end],
        ]) {
          const { status, json } = await send(parts);
          const { visibility, name, size } = json.data;
          expect([status, visibility, name, size]).toEqual([201, 'public', 'a.txt', 5]);
        }
        expect((await send([filePart('hello'), end])).json.data.visibility).toBe('private');
      });

      test.each([
        ['nothing', [end]],
        ['a field alone', [visible, end]],
        ['a text in the field `file`', [fieldPart('file', 'hello'), end]],
        ['a file in another field', [otherFile, end]],
        [
          'no file chosen in a browser',
          [
            filePart(
              '',
              'Content-Disposition: form-data; name="file"; filename=""\r\nContent-Type: application/octet-stream',
            ),
            end,
          ],
        ],
      ])('with %s has no file', async (_, parts) => {
        expectRefusal(await send(parts), 'files/missing-file');
        expect(await leftBehind()).toEqual([]);
      });

      test.each([
        ['another visibility', [filePart('x'), fieldPart('visibility', 'secret'), end], 'visibility'],
        [
          'another visibility before the file',
          [fieldPart('visibility', ''), filePart('x'), end],
          'visibility',
        ],
        ['two files', [filePart('x'), filePart('y'), end], 'file'],
        ['two visibilities', [fieldPart('visibility', 'private'), filePart('x'), visible, end], 'visibility'],
        ['the same visibility twice', [filePart('x'), visible, visible, end], 'visibility'],
        ['no end', [filePart('x')], 'body'],
        ['half a part', [filePart('x').subarray(0, 40)], 'body'],
        ['a file that breaks off', [filePart('x'.repeat(100_000)).subarray(0, 50_000)], 'body'],
        ['other frames', [Buffer.from('--other\r\n\r\nx\r\n--other--\r\n')], 'body'],
        ['no bytes', [], 'body'],
      ])('with %s is refused, and stores nothing', async (_, parts, field) => {
        expectRefusal(await send(parts), 'request/validation-failed', { [field]: [expect.any(String)] });
        expect(await leftBehind()).toEqual([]);
      });

      test.each([
        'application/json',
        'text/plain',
        'multipart/mixed; boundary=frame',
        'multipart/form-data',
        'multipart/form-data; x=frame',
        '',
      ])('sent as %j is of the wrong type', async (type) => {
        expectRefusal(await send([filePart('x'), end], type), 'request/unsupported-media-type');
      });
    });

    describe('the number of parts', () => {
      const fields = (count: number) => Array.from({ length: count }, () => fieldPart('x', 'y'));
      const others = (count: number) => Array.from({ length: count }, () => otherFile);

      test('may be that of a large form', async () => {
        const parts = [...fields(99), filePart('x'), visible, end];
        expect(await send(parts)).toMatchObject({ status: 201, json: { data: { visibility: 'public' } } });
      });

      test.each([
        ['fields before what counts', [...fields(100), visible, filePart('x'), end]],
        ['fields behind the file', [filePart('x'), ...fields(101), end]],
        ['files in other fields', [...others(100), filePart('x'), end]],
      ])('is limited: too many %s are refused, not ignored', async (_, parts) => {
        expectRefusal(await send(parts), 'request/validation-failed', { body: [expect.any(String)] });
        expect(await leftBehind()).toEqual([]);
      });
    });

    test('an app limits the content types, independent of file names', async () => {
      await settings({ allowed_types: ['image/*', 'application/pdf'] });
      expect((await scenario.upload({ token, name: 'a.txt', type: 'text/plain' })).status).toBe(201);
      expect((await scenario.upload({ token, bytes: '%PDF-1.7\n' })).status).toBe(201);
      const page = { token, bytes: '<html>', name: 'a.png', type: 'image/png' };
      expectRefusal(await scenario.upload(page), 'files/type-not-allowed');
      expectRefusal(await scenario.upload({ token, bytes: 'x' }), 'files/type-not-allowed');
      expect(await leftBehind()).toEqual([]);
    });
  }

  describe('sizes', () => {
    test('a file of maximum size is stored, and one byte more is refused', async () => {
      await settings({ max_bytes: 100_000 });
      expect((await scenario.upload({ token, bytes: Buffer.alloc(100_000) })).status).toBe(201);
      expectRefusal(await scenario.upload({ token, bytes: Buffer.alloc(100_001) }), 'files/too-large');
      expect(await leftBehind()).toEqual([]);
    });

    test('a too large Content-Length is refused before the body arrives', async () => {
      const request = head(form, ['Content-Length: 10000000000']);
      expectRefusal(await rawAnswer(scenario.service.listening.port, request), 'files/too-large');
    });

    test('an oversized file is refused during the upload, and a client that still sends gets the answer', async () => {
      await settings({ max_bytes: 100_000 });
      const connection = await rawConnection(scenario.service.listening.port);
      connection.send(head(form, ['Transfer-Encoding: chunked']));
      const chunk = (bytes: Buffer) => {
        const length = `${bytes.length.toString(16)}\r\n`;
        connection.send(Buffer.concat([Buffer.from(length), bytes, Buffer.from('\r\n')]));
      };
      chunk(filePart('').subarray(0, -2));
      for (let sent = 0; sent < 40; sent += 1) chunk(Buffer.alloc(64 * 1_024));
      expectRefusal(await connection.answer(), 'files/too-large');
      // It was read to its end, so that the connection serves the next request.
      connection.send('0\r\n\r\n');
      connection.send(
        `GET /api/v2/me HTTP/1.1\r\nHost: x\r\nX-App-Key: ${scenario.service.app.app.appKey}\r\n\r\n`,
      );
      expect((await connection.answer()).status).toBe(401);
      connection.close();
      expect(await leftBehind()).toEqual([]);
    });

    test.each([
      ['with its length', (body: Buffer) => [`Content-Length: ${body.length}`, body] as const],
      [
        'in chunks',
        (body: Buffer) =>
          [
            'Transfer-Encoding: chunked',
            Buffer.concat([
              Buffer.from(`${body.length.toString(16)}\r\n`),
              body,
              Buffer.from('\r\n0\r\n\r\n'),
            ]),
          ] as const,
      ],
    ])(
      'the form, sent %s, may have 64 KiB besides the largest file, and not a byte more',
      async (_, framed) => {
        await settings({ max_bytes: 10 });
        const parts = (filling: number) => {
          const other = 'Content-Disposition: form-data; name="other"; filename="a.txt"';
          return Buffer.concat([filePart('x'.repeat(filling), other), filePart('x'), end]);
        };
        const most = 65_536 + 10 - parts(0).length;
        for (const [filling, status] of [
          [most, 201],
          [most + 1, 413],
          [most + 100_000, 413],
        ] as const) {
          const [header, body] = framed(parts(filling));
          const request = Buffer.concat([Buffer.from(head(form, [header])), body]);
          const answer = await rawAnswer(scenario.service.listening.port, request);
          expect([filling, answer.status]).toEqual([filling, status]);
          if (status === 413) expectRefusal(answer, 'files/too-large');
        }
        expect(await leftBehind()).toEqual([]);
      },
    );
  });

  describe('the quota', () => {
    test('is exact to the byte, counted per user, and freed by deleting', async () => {
      await settings({ user_quota_bytes: 1_000 + 2 * fileOverheadBytes });
      const [one, other] = [await scenario.service.signUp(), await scenario.service.signUp()];
      const by = (user: typeof one, bytes: number) =>
        scenario.upload({ token: user.tokens.access_token, bytes: Buffer.alloc(bytes) });
      const first = await by(one, 600);
      expectRefusal(await by(one, 401), 'files/quota-exceeded');
      expect((await by(one, 400)).status).toBe(201);
      expectRefusal(await by(one, 0), 'files/quota-exceeded');
      expect((await by(other, 1_000 + fileOverheadBytes)).status).toBe(201);
      const call = { token: one.tokens.access_token };
      expect((await scenario.service.call('DELETE', `/files/${first.data.id}`, call)).status).toBe(204);
      expect((await by(one, 600)).status).toBe(201);
      await scenario.service.advance(0);
      expect(await leftBehind()).toEqual([]);
      const backend = { token: scenario.service.app.secretKey, bytes: Buffer.alloc(5_000) };
      expect((await scenario.upload(backend)).status).toBe(201);
    });

    test('that is used up refuses a file before it arrives, and one that is larger than the rest while it does', async () => {
      await settings({ user_quota_bytes: 2 * fileOverheadBytes });
      const user = await scenario.service.signUp();
      const { port } = scenario.service.listening;
      const as = (more: string[]) => head(form, more).replace(token, user.tokens.access_token);
      const upload = () => scenario.upload({ token: user.tokens.access_token, bytes: Buffer.alloc(0) });
      expect((await upload()).status).toBe(201);
      const chunk = Buffer.concat([filePart('x'.repeat(10_000)), end]);
      const begun = Buffer.concat([
        Buffer.from(as(['Transfer-Encoding: chunked'])),
        Buffer.from(`${chunk.length.toString(16)}\r\n`),
        chunk.subarray(0, 9_000),
      ]);
      expectRefusal(await rawAnswer(port, begun), 'files/quota-exceeded');
      expect((await upload()).status).toBe(201);
      expectRefusal(await rawAnswer(port, as(['Content-Length: 1000'])), 'files/quota-exceeded');
      expect(await leftBehind()).toEqual([]);
    });

    test('limits empty files, too', async () => {
      await settings({ user_quota_bytes: 3 * fileOverheadBytes });
      const user = await scenario.service.signUp();
      const upload = { token: user.tokens.access_token, bytes: Buffer.alloc(0) };
      for (let count = 0; count < 3; count += 1) expect((await scenario.upload(upload)).status).toBe(201);
      expectRefusal(await scenario.upload(upload), 'files/quota-exceeded');
    });

    test('is not exceeded by concurrent uploads', async () => {
      await settings({ user_quota_bytes: 1_000 + 3 * fileOverheadBytes });
      const user = await scenario.service.signUp();
      const upload = { token: user.tokens.access_token, bytes: Buffer.alloc(300) };
      const answers = await Promise.all(Array.from({ length: 8 }, () => scenario.upload(upload)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
      for (const answer of answers) if (answer.status !== 201) expectRefusal(answer, 'files/quota-exceeded');
      expect(await leftBehind()).toEqual([]);
    });
  });

  describe('an interrupted connection', () => {
    test.each([100, 5_000, 200_000, 6 * mebibyte])('after %i bytes stores nothing', async (bytes) => {
      const before = await scenario.service.database.prisma.file.count();
      const { server, port } = scenario.service.listening;
      const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
      const connection = await rawConnection(port);
      connection.send(head(form, [`Content-Length: ${20 * mebibyte}`]));
      connection.send(filePart(Buffer.alloc(bytes)).subarray(0, -2));
      const socket = await accepted;
      await expect.poll(() => socket.bytesRead).toBeGreaterThan(bytes);
      // Part of it may now be on its way into the store.
      await new Promise((resolve) => setTimeout(resolve, 100));
      connection.socket.destroy();
      await expect.poll(leftBehind).toEqual([]);
      expect(await scenario.service.database.prisma.file.count()).toBe(before);
      expect((await scenario.upload({ token })).status).toBe(201);
    });
  });

  test('whose commit is not confirmed has its bytes, since the file may exist', async () => {
    const { deps } = scenario.service;
    const { prisma } = deps;
    const lossy: typeof prisma = Object.create(prisma, {
      $transaction: {
        value: async (work: never) => {
          await prisma.$transaction(work);
          throw Object.assign(new Error('the connection was lost'), { code: 'ECONNRESET' });
        },
      },
    });
    deps.prisma = lossy;
    const answer = await scenario.upload({ token, bytes: 'kept', visibility: 'public' });
    deps.prisma = prisma;
    expectRefusal(answer, 'request/unavailable');
    const { id } = await prisma.file.findFirstOrThrow({ orderBy: { id: 'desc' } });
    const found = await scenario.service.call('GET', `/files/${id}`, { token });
    const { public_url } = found.data as { public_url: string };
    expect(await (await scenario.open(public_url)).text()).toBe('kept');
  });

  test('a user who is signed out during the upload stores nothing', async () => {
    const { tokens } = await scenario.service.signUp();
    const body = Buffer.concat([filePart('x'.repeat(100_000)), end]);
    const connection = await rawConnection(scenario.service.listening.port);
    connection.send(head(form, [`Content-Length: ${body.length}`]).replace(token, tokens.access_token));
    connection.send(body.subarray(0, 50_000));
    await expect
      .poll(async () => (kind === 's3' ? 1 : (await scenario.stored()).join().includes('.part') ? 1 : 0))
      .toBe(1);
    await scenario.service.call('POST', '/auth/sign-out-all', { token: tokens.access_token });
    connection.send(body.subarray(50_000));
    expectRefusal(await connection.answer(), 'auth/invalid-token');
    connection.close();
    expect(await leftBehind()).toEqual([]);
  });

  test('a secret key that is revoked during the upload stores nothing', async () => {
    const secretKey = await secretKeyWith(scenario.service, ['files:write']);
    const body = Buffer.concat([filePart('x'.repeat(100_000)), end]);
    const connection = await rawConnection(scenario.service.listening.port);
    connection.send(head(form, [`Content-Length: ${body.length}`]).replace(token, secretKey));
    connection.send(body.subarray(0, 50_000));
    await expect
      .poll(async () => (kind === 's3' ? 1 : (await scenario.stored()).join().includes('.part') ? 1 : 0))
      .toBe(1);
    await scenario.service.database.prisma.secretKey.updateMany({
      where: { keyHash: new Uint8Array(sha256(secretKey)) },
      data: { revokedAt: scenario.service.clock.now() },
    });
    connection.send(body.subarray(50_000));
    expectRefusal(await connection.answer(), 'admin/invalid-secret-key');
    connection.close();
    expect(await leftBehind()).toEqual([]);
  });

  test('bytes of a killed process are removed an hour later, those of files are not', async () => {
    const kept = await scenario.upload({ token });
    // Finishes the cleanup of earlier uploads, so that a slow machine does not run it during the last minute below.
    await scenario.service.advance(60 * 60 * 1_000 + 1);
    const { deps, app } = scenario.service;
    const lost = { appId: app.app.id, fileId: deps.random.ulid(deps.clock.now()) };
    await queueUploadCleanup(deps, lost);
    await deps.fileStore.write(lost, Readable.from([Buffer.from('of a process that died')]));
    await scenario.service.advance(59 * 60 * 1_000);
    expect(await leftBehind()).toHaveLength(1);
    await scenario.service.advance(60 * 1_000 + 1);
    expect(await leftBehind()).toEqual([]);
    expect((await scenario.stored()).join()).toContain(kept.data.id);
  });
});
