// Files over HTTP, on disk and in S3: upload, access, deletion, signed URLs.
import { createHash } from 'node:crypto';
import type { File, FileUrl } from '@foyer/contract';
import { limits } from '@foyer/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { testOnServer, untilBlocked } from '../../test/blocked.js';
import { fileScenario, png, type StoreKind } from '../../test/file-scenario.js';
import type { TestUser } from '../../test/harness.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';

const day = 24 * 60 * 60 * 1_000;
const part = 5 * 1_024 * 1_024;
/** Around the bytes that are read to detect the type, and around the parts of an upload to S3. */
const sizes = { disk: [0, 1, 4_099, 4_100, 4_101, 200_000], s3: [0, 1, part - 1, part, 2 * part + 1] };

describe.each(['disk', 's3'] as StoreKind[])('with files on %s,', (kind) => {
  const scenario = shared(() => fileScenario(kind));
  let user: TestUser;
  let token: string;
  beforeAll(async () => {
    user = await scenario.service.signUp();
    token = user.tokens.access_token;
  });

  const urlOf = (id: string, query = '', as: string | undefined = token) =>
    scenario.service.call<FileUrl>('GET', `/files/${id}/url${query}`, { token: as });
  const remove = (id: string, as: string | undefined = token) =>
    scenario.service.call('DELETE', `/files/${id}`, { token: as });
  const addressOf = async (id: string, query = '') => (await urlOf(id, query)).data.url;

  test('an upload is returned unchanged', async () => {
    const uploaded = await scenario.upload({ token });
    expect(uploaded.status).toBe(201);
    expect(uploaded.data).toEqual({
      id: expect.any(String),
      name: 'pixel.png',
      content_type: 'image/png',
      size: png.length,
      sha256: createHash('sha256').update(png).digest('hex'),
      visibility: 'private',
      public_url: null,
      owner_uid: user.uid,
      created_at: '2026-03-01T10:00:00.123000Z',
    });
    const { id } = uploaded.data;
    expect((await scenario.service.call('GET', `/files/${id}`, { token })).data).toEqual(uploaded.data);
    const url = await urlOf(id);
    expect(url.data).toEqual({
      url: expect.stringMatching(
        /^https:\/\/accounts\.test\/api\/v2\/apps\/\w+\/files\/\w+\/content\?expires=/,
      ),
      expires_at: '2026-03-01T10:15:00.000000Z',
      public_url: null,
    });
    const bytes = await scenario.open(url.data.url);
    expect(bytes.status).toBe(200);
    expect(Buffer.from(await bytes.arrayBuffer())).toEqual(png);
  });

  test.each(sizes[kind])('a file of %i bytes is stored completely', async (size) => {
    const bytes = Buffer.alloc(size, 'foyer ');
    const { data } = await scenario.upload({ token, bytes, name: 'a.txt', type: 'text/plain' });
    expect(data).toMatchObject({ size, sha256: createHash('sha256').update(bytes).digest('hex') });
    const opened = await scenario.open(await addressOf(data.id));
    expect(Buffer.from(await opened.arrayBuffer()).equals(bytes)).toBe(true);
    expect(opened.headers.get('content-length')).toBe(String(size));
    expect((await remove(data.id)).status).toBe(204);
  });

  test('a private file is not found except by its owner and the backend', async () => {
    const { data } = await scenario.upload({ token });
    const other = await scenario.service.signUp();
    for (const as of [other.tokens.access_token, '']) {
      for (const path of ['', '/url']) {
        const answer = await scenario.service.call('GET', `/files/${data.id}${path}`, { token: as });
        expectRefusal(answer, 'files/not-found');
      }
    }
    expectRefusal(await remove(data.id, other.tokens.access_token), 'files/not-found');
    expectRefusal(await remove(data.id, ''), 'auth/invalid-token');
    const backend = scenario.service.app.secretKey;
    expect((await scenario.service.call('GET', `/files/${data.id}`, { token: backend })).data).toEqual(data);
    expect((await urlOf(data.id, '', backend)).status).toBe(200);
    const unsigned = (await addressOf(data.id)).split('?')[0] as string;
    await scenario.expectRefused(unsigned, 'files/not-found');
  });

  test('a public file is readable by everyone, and deleted by its owner only', async () => {
    const { data } = await scenario.upload({ token, visibility: 'public' });
    expect(data).toMatchObject({ visibility: 'public', public_url: expect.stringMatching(/\/content$/) });
    const other = await scenario.service.signUp();
    for (const as of [other.tokens.access_token, '']) {
      expect((await scenario.service.call('GET', `/files/${data.id}`, { token: as })).data).toEqual(data);
      expect((await urlOf(data.id, '', as)).data.public_url).toBe(data.public_url);
    }
    const opened = await scenario.open(data.public_url);
    expect([opened.status, opened.headers.get('content-type')]).toEqual([200, 'image/png']);
    for (const unsigned of ['?download=true', `?by=member:${data.id}`])
      await scenario.expectRefused(`${data.public_url}${unsigned}`, 'files/invalid-signature');
    expectRefusal(await remove(data.id, other.tokens.access_token), 'files/not-found');
    expect((await remove(data.id)).status).toBe(204);
    expect((await scenario.open(data.public_url)).status).toBe(404);
  });

  test('a backend uploads files without owner, and deletes files of users, audited', async () => {
    const backend = scenario.service.app.secretKey;
    const own = await scenario.upload({ token: backend });
    expect(own.data.owner_uid).toBeNull();
    for (const as of [token, undefined]) {
      expectRefusal(
        await scenario.service.call('GET', `/files/${own.data.id}`, { token: as }),
        'files/not-found',
      );
    }
    expectRefusal(await remove(own.data.id), 'files/not-found');
    const { data } = await scenario.upload({ token });
    for (const id of [own.data.id, data.id]) expect((await remove(id, backend)).status).toBe(204);
    const entries = await scenario.service.auditEntries({
      action: { in: ['file.uploaded', 'file.deleted'] },
    });
    expect(entries.map(({ action, target }) => `${action} ${target}`)).toEqual([
      `file.uploaded file:${own.data.id}`,
      `file.deleted file:${own.data.id}`,
      `file.deleted file:${data.id}`,
    ]);
  });

  describe('deleting', () => {
    test('invalidates every URL at once, and removes the bytes', async () => {
      const { data } = await scenario.upload({ token, visibility: 'public' });
      const url = await addressOf(data.id);
      expect((await remove(data.id)).status).toBe(204);
      for (const address of [url, data.public_url]) {
        await scenario.expectRefused(address, 'files/not-found');
      }
      expectRefusal(await remove(data.id), 'files/not-found');
      expect((await scenario.stored()).join()).toContain(data.id);
      await scenario.service.advance(0);
      expect((await scenario.stored()).join()).not.toContain(data.id);
    });

    testOnServer('that waits while its user signs out is refused, and the file remains', async () => {
      const user = await scenario.service.signUp();
      const own = user.tokens.access_token;
      const { data } = await scenario.upload({ token: own });
      const { prisma } = scenario.service.database;
      const { waiting } = await prisma.$transaction(async (tx) => {
        const { id: appId } = scenario.service.app.app;
        await tx.$executeRaw`SELECT FROM users WHERE app_id = ${appId} AND id = ${user.uid} FOR UPDATE`;
        const waiting = remove(data.id, own);
        await untilBlocked(scenario.service.database, 1);
        await tx.$executeRaw`UPDATE sessions SET ended_at = now(), end_reason = 'sign_out_all' WHERE app_id = ${appId} AND user_id = ${user.uid}`;
        return { waiting };
      });
      expectRefusal(await waiting, 'auth/invalid-token');
      expect(await prisma.file.count({ where: { id: data.id } })).toBe(1);
    });

    test('an account deletes its files', async () => {
      const leaving = await scenario.service.signUp();
      const files: File[] = [];
      for (const visibility of ['private', 'public']) {
        files.push((await scenario.upload({ token: leaving.tokens.access_token, visibility })).data);
      }
      const kept = await scenario.upload({ token });
      const deleted = await scenario.service.call('DELETE', '/me', { token: leaving.tokens.access_token });
      expect(deleted.status).toBe(204);
      expect((await scenario.open((files[1] as File).public_url)).status).toBe(404);
      await scenario.service.advance(0);
      const stored = (await scenario.stored()).join();
      for (const { id } of files) expect(stored).not.toContain(id);
      expect(stored).toContain(kept.data.id);
      expect(await scenario.service.database.prisma.file.count({ where: { ownerId: leaving.uid } })).toBe(0);
    });
  });

  // The store has no part in these.
  if (kind === 'disk') {
    describe('a signed URL', () => {
      test('is valid until its second begins, by the clock of the service', async () => {
        const { data } = await scenario.upload({ token });
        for (const seconds of [1, 900, limits.fileUrlSeconds.max]) {
          const start = scenario.service.clock.now();
          const { url, expires_at } = (await urlOf(data.id, `?expires_in=${seconds}`)).data;
          const until = new Date(expires_at);
          expect(Math.round((until.getTime() - start.getTime()) / 1_000)).toBe(seconds);
          scenario.service.clock.set(new Date(until.getTime() - 1));
          expect((await scenario.open(url)).status).toBe(200);
          scenario.service.clock.set(until);
          await scenario.expectRefused(url, 'files/url-expired');
          scenario.service.clock.set(start);
        }
      });

      test('is not created for more than seven days, or for anything but a whole number of seconds', async () => {
        const { data } = await scenario.upload({ token });
        for (const seconds of ['0', '-1', '1.5', 'x', '604801', '', '9e2', '0x384', '900.0']) {
          const answer = await urlOf(data.id, `?expires_in=${seconds}`);
          expectRefusal(answer, 'request/validation-failed', { expires_in: [expect.any(String)] });
        }
      });

      test('is invalid after any modification', async () => {
        const { data } = await scenario.upload({ token });
        const other = await scenario.upload({ token });
        const url = new URL(await addressOf(data.id));
        const change = (edit: (url: URL) => void) => {
          const changed = new URL(url);
          edit(changed);
          return changed.href;
        };
        const set = (name: string, value: string) =>
          change(({ searchParams }) => searchParams.set(name, value));
        const signature = url.searchParams.get('signature') as string;
        const last = signature.at(-2) === 'A' ? 'B' : 'A';
        const wrong = [
          set('expires', String(Number(url.searchParams.get('expires')) + 1)),
          set('expires', `${url.searchParams.get('expires')}.0`),
          set('expires', ''),
          set('download', 'true'),
          set('download', 'false'),
          set('signature', ''),
          set('signature', 'Xh0'),
          set('signature', `${signature}x`),
          set('signature', `${signature}=`),
          set('signature', `${signature.slice(0, -2)}${last}${signature.slice(-1)}`),
          change(({ searchParams }) => searchParams.delete('signature')),
          change(({ searchParams }) => searchParams.delete('expires')),
          url.href.replace(data.id, other.data.id),
          url.href.replace(scenario.service.app.app.id, other.data.id),
        ];
        expect((await scenario.open(url.href)).status).toBe(200);
        for (const address of wrong) await scenario.expectRefused(address, 'files/invalid-signature');
      });

      test('of a private file is invalid while its app is disabled', async () => {
        const { data } = await scenario.upload({ token, visibility: 'public' });
        const url = await addressOf(data.id);
        const where = { id: scenario.service.app.app.id };
        await scenario.service.database.prisma.app.update({ where, data: { enabled: false } });
        for (const address of [url, data.public_url]) expect((await scenario.open(address)).status).toBe(404);
        await scenario.service.database.prisma.app.update({ where, data: { enabled: true } });
        expect((await scenario.open(url)).status).toBe(200);
      });

      test('of a user is not found while the user is disabled, unlike one of the backend and of a public file', async () => {
        const user = await scenario.service.signUp();
        const own = user.tokens.access_token;
        const backend = scenario.service.app.secretKey;
        const signed = async (id: string, as: string) => (await urlOf(id, '', as)).data.url;
        const { data } = await scenario.upload({ token: own });
        const shown = (await scenario.upload({ token: own, visibility: 'public' })).data;
        const url = await signed(data.id, own);
        const others = [await signed(data.id, backend), await signed(shown.id, own)];
        const disable = (disabled: boolean) =>
          scenario.service.call('PATCH', `/admin/users/${user.uid}`, { token: backend, body: { disabled } });
        expect((await disable(true)).status).toBe(200);
        await scenario.expectRefused(url, 'files/not-found');
        for (const address of others) expect((await scenario.open(address)).status).toBe(200);
        expect((await disable(false)).status).toBe(200);
        expect((await scenario.open(url)).status).toBe(200);
      });
    });

    // name-rules.test.ts has the table of names.
    test('names that are paths or mislead readers are stored as plain names', async () => {
      for (const [given, kept] of [
        ['../../etc/passwd', 'passwd'],
        [`${'long'.repeat(75)}.png`, `${'long'.repeat(75).slice(0, 251)}.png`],
        ['a\r\nb.png', 'ab.png'],
      ] as const) {
        const { status, data } = await scenario.upload({ token, name: given });
        expect([status, data.name]).toEqual([201, kept]);
        const opened = await scenario.open(await addressOf(data.id));
        expect(Buffer.from(await opened.arrayBuffer())).toEqual(png);
      }
      for (const path of await scenario.stored()) expect(path).toMatch(/^[0-9A-Z/]+( in parts)?$/);
    });

    test.each(['a\u0000b.png', 'a\u0007b.png', '\u001b[31m.png'])(
      'a form with the name %j is refused',
      async (name) => {
        expectRefusal(await scenario.upload({ token, name }), 'request/validation-failed', {
          body: [expect.any(String)],
        });
      },
    );

    test('the backend lists the files of its app, newest first, in pages that survive deletions', async () => {
      const backend = scenario.service.app.secretKey;
      const list = (query: string) =>
        scenario.service.call<{ items: File[]; next_cursor: string | null }>('GET', `/admin/files${query}`, {
          token: backend,
        });
      const owner = await scenario.service.signUp();
      const own: string[] = [];
      for (const visibility of ['private', 'public', 'private', 'public', 'private']) {
        own.unshift((await scenario.upload({ token: owner.tokens.access_token, visibility })).data.id);
      }
      const first = await list(`?owner_uid=${owner.uid}&limit=2`);
      expect(first.data.items.map(({ id }) => id)).toEqual(own.slice(0, 2));
      await remove(own[1] as string, backend);
      const next = await list(`?owner_uid=${owner.uid}&limit=3&cursor=${first.data.next_cursor}`);
      expect(next.data.items.map(({ id }) => id)).toEqual(own.slice(2));
      expect(next.data.next_cursor).toBeNull();
      const open = await list(`?owner_uid=${owner.uid}&visibility=public`);
      expect(open.data.items.map(({ visibility }) => visibility)).toEqual(['public']);
      expect((await list('?limit=3')).data.items.map(({ id }) => id)).toEqual([own[0], own[2], own[3]]);
      expectRefusal(await list('?cursor=x'), 'request/validation-failed', { cursor: [expect.any(String)] });
    });
  }

  test('a day later the store contains only files with a row', async () => {
    await scenario.service.advance(day);
    const rows = await scenario.service.database.prisma.file.findMany({ select: { id: true } });
    // A failed removal is retried after 10 to 20 s.
    const stored = async () => {
      await scenario.service.advance(60_000);
      return (await scenario.stored()).map((path) => path.split('/').at(-1)).sort();
    };
    await expect.poll(stored, { timeout: 50_000 }).toEqual(rows.map(({ id }) => id).sort());
  });
});
