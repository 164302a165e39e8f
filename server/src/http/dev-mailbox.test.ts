// The development mailbox: its content, its readers, and when it is absent.
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { type Listening, listen } from '../../engines/http-guard/listen.js';
import type { Mail } from '../../engines/mailer/mail.js';
import { testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import { createExpressApp } from '../app.js';
import { queueMail } from '../mail/queue-mail.js';
import { mailboxSecret, mailboxUrl } from './dev-mailbox.js';

const service = shared(() => testService({ config: { openMailbox: true } }));

type Seen = { status: number; headers: Record<string, string | string[] | undefined>; text: string };

/** Sends a Host of its own, which `fetch` cannot. */
function get(
  path: string,
  headers: Record<string, string> = {},
  { port } = service.listening,
  host = '127.0.0.1',
): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const sent = request({ host, port, path, headers }, async (answer) => {
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: await text(answer) });
    });
    sent.on('error', reject).end();
  });
}

const sample: Mail = {
  id: 'ID',
  to: 'ada@example.com',
  fromName: 'Acme',
  replyTo: null,
  subject: '',
  text: '',
  html: '',
  at: new Date(0),
};
const asJson = { accept: 'application/json' };

async function mail(to: string, kind: 'sign_in' | 'reset' = 'sign_in', code = '402718'): Promise<void> {
  const { deps, app } = service;
  const fresh = await deps.apps.fresh(app.app.id);
  await deps.prisma.$transaction((tx) => queueMail(tx, deps, fresh, { kind, to, code }));
  await deps.queue.runNow();
}

const items = async (query = '') => JSON.parse((await get(`/dev/mailbox${query}`, asJson)).text).data.items;

describe('as JSON', () => {
  test("a mail has exactly the fields of the page's contract", async () => {
    await mail('ada@example.com', 'reset');
    const [item] = await items();
    expect(item).toEqual({
      to: 'ada@example.com',
      subject: '402718 is your code to set a new password for Test',
      text: expect.stringMatching(/^402718\n/),
      html: expect.stringContaining('<!doctype html>'),
      code: '402718',
      link: null,
      sent_at: '2026-03-01T10:00:00.123000Z',
    });
  });

  test.each(['application/json', 'text/html'])(
    'a cache is told that the answer to %s depends on the header',
    async (accept) => {
      expect((await get('/dev/mailbox', { accept })).headers.vary).toBe('Accept');
    },
  );

  test('mails are listed newest first, and can be filtered by recipient', async () => {
    await mail('both@example.com', 'sign_in', '111111');
    await mail('grace@example.com', 'sign_in', '222222');
    await mail('both@example.com', 'sign_in', '333333');
    const codes = async (query?: string) => (await items(query)).map((item: { code: string }) => item.code);
    expect((await codes()).slice(0, 3)).toEqual(['333333', '222222', '111111']);
    expect(await codes('?to=both%40example.com')).toEqual(['333333', '111111']);
    expect(await codes('?to=%20BOTH@example.com')).toEqual(['333333', '111111']);
    expect(await codes('?to=nobody@example.com')).toEqual([]);
    expect((await codes('?to=a&to=b'))[0]).toBe('333333');
    expect((await codes('?to=%20'))[0]).toBe('333333');
  });

  test('stores the last two hundred mails', async () => {
    for (let i = 0; i < 205; i += 1) await service.deps.mailer.send({ ...sample, subject: `${i}` });
    const subjects = (await items()).map((item: { subject: string }) => item.subject);
    expect([subjects.length, subjects[0], subjects.at(-1)]).toEqual([200, '204', '5']);
  });
});

describe('as a page', () => {
  test('the list and an open mail show subject and code, and the mail is in its own frame', async () => {
    await mail('ada@example.com');
    const { headers, text } = await get('/dev/mailbox', { accept: 'text/html,*/*' });
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(text).toContain('402718 is your sign-in code for Test');
    const path = /href="(\/dev\/mailbox\/[0-9A-Z]{26})"/.exec(text)?.[1] ?? '';
    const open = await get(path);
    expect(open.status).toBe(200);
    expect(open.text).toContain(`src="${path}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"`);
    const frame = await get(`${path}/html`);
    expect(frame.text).toBe((await items())[0].html);
    expect(frame.headers['content-security-policy']).toMatch(
      /^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none';/,
    );
  });

  test('serves its own files, and its policy blocks inline scripts', async () => {
    const { headers, text } = await get('/dev/mailbox');
    expect(headers['content-security-policy']).toMatch(
      /default-src 'none'; script-src 'self'; style-src 'self'/,
    );
    for (const [, path] of text.matchAll(/(?:src|href)="(\/dev\/mailbox\/page\.\w+)"/g)) {
      expect((await get(path ?? '')).status).toBe(200);
    }
    expect(text).not.toMatch(/<script(?![^>]* src=)|\son\w+=|style="/);
  });

  test('the content and recipient of a mail are escaped', async () => {
    const evil = '"><script>alert(1)</script>';
    const link = `https://app.example.com/?a=${evil}`;
    const content = { fromName: evil, subject: evil, text: `</pre>${evil}`, html: evil, code: evil, link };
    await service.deps.mailer.send({ ...sample, ...content, id: 'EVIL', to: "o'hara&b@example.com" });
    for (const path of ['/dev/mailbox', '/dev/mailbox/EVIL', `/dev/mailbox?to=${encodeURIComponent(evil)}`]) {
      expect((await get(path)).text).not.toContain('<script>');
    }
  });

  test('an open mail shows the email for replies and the code, if it has them', async () => {
    await service.deps.mailer.send({ ...sample, id: 'PLAIN' });
    await service.deps.mailer.send({ ...sample, id: 'BOTH', replyTo: 'help@example.com', code: '402718' });
    const shown = async (id: string) => {
      const { text } = await get(`/dev/mailbox/${id}`);
      return [...text.matchAll(/<dt>([^<]*)<\/dt>/g)].map(([, name]) => name);
    };
    expect(await shown('PLAIN')).toEqual(['From', 'To', 'Sent']);
    expect(await shown('BOTH')).toEqual(['From', 'To', 'Reply to', 'Sent', 'Code']);
    expect((await get('/dev/mailbox/BOTH')).text).toContain('<dd>help@example.com</dd>');
  });

  test('a missing mail is answered 404 with an explanation', async () => {
    const gone = await get('/dev/mailbox/01JC4Q7M0RZ9X2V5T8W3Y6K1NB');
    expect(gone.status).toBe(404);
    expect(gone.text).toContain('no longer here');
    expect((await get('/dev/mailbox/01JC4Q7M0RZ9X2V5T8W3Y6K1NB/html')).status).toBe(404);
  });
});

test('other methods are answered with an error in the envelope', async () => {
  for (const method of ['OPTIONS', 'POST', 'DELETE']) {
    const answer = await fetch(`http://127.0.0.1:${service.listening.port}/dev/mailbox`, { method });
    expect([answer.status, await answer.json()]).toMatchObject([
      404,
      { error: { code: 'request/not-found' } },
    ]);
  }
});

describe('the development mailbox is served only on this machine', () => {
  test.each([
    'localhost',
    'localhost:3000',
    'LOCALHOST',
    '127.0.0.1',
    '127.0.0.1:3000',
    '[::1]',
    '[::1]:3000',
  ])('with the loopback host name %s', async (host) => {
    expect((await get('/dev/mailbox', { host, ...asJson })).status).toBe(200);
  });

  test.each([
    'rebound.example.com',
    'localhost.example.com',
    '127.0.0.1.example.com',
    '127.0.0.1@example.com',
    'localhost:3000:80',
    'localhost.',
    '10.0.0.1',
    '0.0.0.0',
    'accounts.test',
    ' ',
  ])('not with the host name %j', async (host) => {
    for (const path of ['/dev/mailbox', '/dev/mailbox/page.js', '/dev/mailbox/X/html']) {
      const { status, text } = await get(path, { host, ...asJson });
      expect([status, JSON.parse(text).error.code]).toEqual([404, 'request/not-found']);
    }
  });

  test.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-forwarded-host', 'via'])(
    'not through a proxy that adds %s',
    async (name) => {
      const { status } = await get('/dev/mailbox', { host: 'localhost', [name]: '127.0.0.1', ...asJson });
      expect(status).toBe(404);
    },
  );

  test('not to the network, even with a loopback host name', async (context) => {
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((each) => each && !each.internal && each.family === 'IPv4');
    if (!outside) return context.skip('this machine has no network');
    const open: Listening = await listen(createExpressApp(service.deps), 0, '0.0.0.0');
    try {
      const headers = { host: 'localhost', ...asJson };
      expect((await get('/dev/mailbox', headers, open, outside.address)).status).toBe(404);
      expect((await get('/dev/mailbox', headers, open)).status).toBe(200);
    } finally {
      await open.stop(100);
    }
  });

  test('and other origins cannot read it', async () => {
    const origin = 'https://evil.example.com';
    for (const path of ['/dev/mailbox', '/dev/mailbox/page.js']) {
      const { headers } = await get(path, { origin, ...asJson });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      expect(headers).toMatchObject({
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
    }
  });
});

describe('outside of foyer dev the development mailbox requires the secret that the start prints', () => {
  const closed = shared(() => service.secondInstance({ config: { openMailbox: false } }));
  const secretOf = () => mailboxSecret(closed.deps) as string;
  const from = (path: string, headers: Record<string, string> = asJson) =>
    get(path, headers, closed.listening);

  test('a proxy on this machine that sends its own Host and no forwarded header reads no mail', async () => {
    await closed.deps.mailer.send({ ...sample, id: 'HELD', code: '402718' });
    const paths = ['', '?to=ada@example.com', '/page.css', '/page.js', '/HELD', '/HELD/html'];
    const wrong = ['', '?secret=', `?secret=${secretOf()}x`, `?secret=a&secret=${secretOf()}`];
    for (const path of paths) {
      for (const query of wrong) {
        const url = `/dev/mailbox${path}${path.includes('?') ? query.replace('?', '&') : query}`;
        const { status, text } = await from(url, { ...asJson, host: '127.0.0.1:3000' });
        expect([url, status, JSON.parse(text).error.code]).toEqual([url, 404, 'request/not-found']);
      }
    }
    const header = { ...asJson, 'x-mailbox-secret': 'a guess' };
    expect((await from('/dev/mailbox', header)).status).toBe(404);
  });

  test('the printed address and the header open it, and every link of the page contains the secret', async () => {
    await closed.deps.mailer.send({ ...sample, id: 'HELD', code: '402718' });
    const secret = secretOf();
    expect(secret).toMatch(/^[\w-]{43}$/);
    const { pathname, search } = new URL(mailboxUrl(closed.deps, 'http://localhost:3000'));
    expect((await from(`${pathname}${search}&to=ada@example.com`)).status).toBe(200);
    const header = { ...asJson, 'x-mailbox-secret': secret };
    expect((await from('/dev/mailbox', header)).status).toBe(200);
    for (const page of [`${pathname}${search}`, `${pathname}/HELD${search}&to=ada@example.com`]) {
      const { text } = await from(page, { accept: 'text/html' });
      const links = [...text.matchAll(/(?:src|href)="(\/dev\/mailbox[^"]*)"/g)].map(([, link]) => link ?? '');
      expect(links.length).toBeGreaterThan(3);
      for (const link of links) {
        const { status } = await from(link.replaceAll('&#38;', '&'));
        expect([link, status]).toEqual([link, 200]);
      }
      expect(text).toContain(`<input type="hidden" name="secret" value="${secret}">`);
    }
  });

  test('a mailbox that is open to the machine has no secret in its address, and ignores one', async () => {
    expect(mailboxUrl(service.deps, 'http://localhost:3000')).toBe('http://localhost:3000/dev/mailbox');
    expect((await get('/dev/mailbox?secret=of-another-start')).status).toBe(200);
  });

  test('the secret is that of the installation: the same after a restart, another with another key', async () => {
    const again = await service.secondInstance({ config: { openMailbox: false } });
    expect(mailboxSecret(again.deps)).toBe(secretOf());
    await again.stop();
    const other = await testService({ config: { openMailbox: false, encryptionKeys: ['k'.repeat(32)] } });
    expect(mailboxSecret(other.deps)).not.toBe(secretOf());
    const { pathname, search } = new URL(mailboxUrl(other.deps, other.url));
    const empty = async (query: string) =>
      (await get(`${pathname}${search}${query}`, {}, other.listening)).text;
    expect(await empty('')).toContain('>No mail yet. ');
    expect(await empty('&to=ada@example.com')).toContain('>No mail to ada@example.com yet. ');
    await other.stop();
  });
});

test.each([
  ['SMTP_URL', { smtp: { url: 'smtp://mail.test', from: 'accounts@mail.test' } }],
  ['DATABASE_URL', { databaseUrl: 'postgresql://db.test/foyer' }],
  ['a BASE_URL elsewhere', { devMailbox: false }],
])('the development mailbox is absent with %s', async (_, config) => {
  const real = await service.secondInstance({ config });
  const { status } = await get('/dev/mailbox', { host: 'localhost', ...asJson }, real.listening);
  expect(status).toBe(404);
  await real.stop();
});
