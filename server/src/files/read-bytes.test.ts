// The content of a file, on disk and in S3: whole, ranges, not modified, and the headers for browsers.
import type { FileUrl } from '@foyer/contract';
import { limits } from '@foyer/contract';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { fileScenario, png, type StoreKind } from '../../test/file-scenario.js';
import { shared } from '../../test/shared.js';

describe.each(['disk', 's3'] as StoreKind[])('with files on %s,', (kind) => {
  const scenario = shared(() => fileScenario(kind));
  let token: string;
  beforeAll(async () => {
    token = (await scenario.service.signUp()).tokens.access_token;
  });

  const addressOf = async (id: string, query = '') =>
    (await scenario.service.call<FileUrl>('GET', `/files/${id}/url${query}`, { token })).data.url;

  describe('the bytes', () => {
    const text = 'abcdefghijklmnopqrstuvwxyz';
    let url: string;
    let etag: string;
    beforeAll(async () => {
      const { data } = await scenario.upload({ token, bytes: text, name: 'letters.txt', type: 'text/plain' });
      url = await addressOf(data.id, `?expires_in=${limits.fileUrlSeconds.max}`);
      etag = `"${data.sha256}"`;
    });

    test.each([
      ['bytes=0-4', 'abcde', 'bytes 0-4/26'],
      ['bytes=5-5', 'f', 'bytes 5-5/26'],
      ['bytes=23-', 'xyz', 'bytes 23-25/26'],
      ['bytes=-2', 'yz', 'bytes 24-25/26'],
      ['bytes=-99999', text, 'bytes 0-25/26'],
      ['bytes=20-99', 'uvwxyz', 'bytes 20-25/26'],
      ['bytes=0-25', text, 'bytes 0-25/26'],
    ])('are sent in part for %s', async (range, part, contentRange) => {
      const answer = await scenario.open(url, { headers: { range } });
      expect([answer.status, await answer.text()]).toEqual([206, part]);
      expect(answer.headers.get('content-range')).toBe(contentRange);
      expect(answer.headers.get('content-length')).toBe(String(part.length));
    });

    test.each(['bytes=26-', 'bytes=99-100', 'bytes=-0'])('have no part %s', async (range) => {
      const answer = await scenario.expectRefused(url, 'files/range-not-satisfiable', { headers: { range } });
      expect(answer.headers.get('content-range')).toBe('bytes */26');
    });

    test.each(['bytes=0-', 'bytes=-5'])('of an empty file have no part %s', async (range) => {
      const { data } = await scenario.upload({ token, bytes: '', name: 'empty.txt', type: 'text/plain' });
      const empty = await addressOf(data.id);
      const answer = await scenario.expectRefused(empty, 'files/range-not-satisfiable', {
        headers: { range },
      });
      expect(answer.headers.get('content-range')).toBe('bytes */0');
    });

    test.each(['bytes=x', 'lines=1-2', 'bytes', '', 'bytes=0-1,4-5'])(
      'are sent whole for %j',
      async (range) => {
        const answer = await scenario.open(url, { headers: { range } });
        expect([answer.status, await answer.text()]).toEqual([200, text]);
      },
    );

    test('are sent whole if If-Range does not match', async () => {
      const ask = (ifRange: string) =>
        scenario.open(url, { headers: { range: 'bytes=0-4', 'if-range': ifRange }, redirect: 'manual' });
      const tags = [etag, '"other"', 'Sun, 01 Mar 2026 10:00:00 GMT'];
      const statuses = (await Promise.all(tags.map(ask))).map(({ status }) => status);
      expect(statuses).toEqual(kind === 'disk' ? [206, 200, 200] : [302, 302, 302]);
    });

    test('are not sent again to a client that has them', async () => {
      const again = await scenario.open(url, { headers: { 'if-none-match': etag } });
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect((await scenario.open(url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    });

    test('are not sent to HEAD, which has the same headers', async () => {
      const answer = await scenario.open(url, { method: 'HEAD' });
      expect([answer.status, await answer.text()]).toEqual([200, '']);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        etag,
        'content-length': '26',
        'content-type': 'text/plain',
        'accept-ranges': 'bytes',
      });
    });
  });

  describe('a browser', () => {
    test.each([
      ['a picture', png, 'pixel.png', 'image/png', 'inline'],
      [
        'an SVG',
        '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
        'a.png',
        'image/svg+xml',
        'attachment',
      ],
      ['a page', '<!doctype html><script>alert(1)</script>', 'a.png', 'text/html', 'attachment'],
      ['a text', 'hello', 'a.html', 'text/plain', 'attachment'],
      ['a PDF', '%PDF-1.7\n', 'a.pdf', 'application/pdf', 'attachment'],
      ['bytes of no kind', Buffer.from([0, 1, 2, 3]), 'a.html', 'application/octet-stream', 'attachment'],
    ])('gets the disposition and type of %s', async (_, bytes, name, contentType, disposition) => {
      const { data } = await scenario.upload({ token, bytes, name, type: 'text/html', visibility: 'public' });
      expect(data.content_type).toBe(contentType);
      for (const address of [
        data.public_url,
        await addressOf(data.id),
        await addressOf(data.id, '?download=true'),
      ]) {
        const answer = await scenario.open(address);
        expect(answer.headers.get('content-type')).toBe(contentType);
        const expected = address?.includes('download') ? 'attachment' : disposition;
        expect(answer.headers.get('content-disposition')).toBe(`${expected}; filename=${name}`);
        const first = await scenario.open(address, { redirect: 'manual' });
        if (kind === 's3') {
          expect([first.status, first.headers.get('cache-control')]).toEqual([302, 'no-store']);
          continue;
        }
        expect(first.headers.get('x-content-type-options')).toBe('nosniff');
        expect(first.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
        expect(first.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
        expect(first.headers.get('cache-control')).toBe('public, no-cache');
      }
    });

    test('does not cache a private file', async () => {
      const { data } = await scenario.upload({ token });
      const answer = await scenario.open(await addressOf(data.id));
      expect(answer.headers.get('cache-control')).toBe('private, no-store');
    });

    test('gets names of any script as in RFC 6266', async () => {
      const { data } = await scenario.upload({ token, name: 'Übersicht "€" 日本.png' });
      expect(data.name).toBe('Übersicht _€_ 日本.png');
      const answer = await scenario.open(await addressOf(data.id));
      expect(answer.headers.get('content-disposition')).toBe(
        `inline; filename="?bersicht _?_ ??.png"; filename*=UTF-8''%C3%9Cbersicht%20_%E2%82%AC_%20%E6%97%A5%E6%9C%AC.png`,
      );
    });
  });
});

test('one network asks for 600 unknown files in a minute, whose URL is not signed', async () => {
  const scenario = await fileScenario('disk', { rateLimits: true });
  onTestFinished(() => scenario.stop());
  const { app } = scenario.service.app;
  const open = async (id: number) => {
    const unknown = String(id).padStart(26, '0');
    return (await scenario.open(`https://accounts.test/api/v2/apps/${app.id}/files/${unknown}/content`))
      .status;
  };
  const statuses: number[] = [];
  for (let id = 0; id <= 600; id += 1) statuses.push(await open(id));
  expect(statuses).toEqual([...new Array(600).fill(404), 429]);
});
