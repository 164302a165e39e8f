// SSRF protection: every form of internal IP address, DNS rebinding, and receivers that redirect, stall or never end.
import { Resolver } from 'node:dns/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, setDefaultAutoSelectFamily } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { internalNames, internalUrls, localhostUrls } from '../../test/hostile-urls.js';
import { selfSigned } from '../../test/self-signed.js';
import {
  type Resolve,
  type SsrfSafeFetch,
  type SsrfSafeFetchOptions,
  ssrfSafeFetch,
} from './ssrf-safe-fetch.js';

const opened: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

function guard(options: Partial<SsrfSafeFetchOptions> = {}): SsrfSafeFetch {
  const made = ssrfSafeFetch({ loopback: false, ...options });
  opened.push(() => made.close());
  return made;
}

/** Resolves to each list in sequence, then always to the last. */
function names(...lists: string[][]): Resolve & { asked: string[] } {
  const asked: string[] = [];
  const resolve = async (hostname: string) => {
    const list = lists[Math.min(asked.length, lists.length - 1)] ?? [];
    asked.push(hostname);
    return list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return Object.assign(resolve, { asked });
}

async function receiver(
  listener: RequestListener,
): Promise<{ server: Server; port: number; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((req, res) => {
    seen.push(`${req.method} ${req.url}`);
    listener(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, port: (server.address() as AddressInfo).port, seen };
}

const bounds = { headers: {}, body: '{}', timeoutMilliseconds: 5_000, maxAnswerBytes: 100 };
const send = (to: SsrfSafeFetch, address: string, more = {}) => to.send(address, { ...bounds, ...more });
const notPublic = { name: 'ForbiddenUrlError', reason: 'not-public' };

describe('a URL with a non-public IP address in any form', () => {
  test.each(internalUrls)('%s is refused when it is checked and when it is called', async (address) => {
    const resolve = names(['8.8.8.8']);
    const to = guard({ resolve });
    await expect(to.requireAllowed(address)).rejects.toMatchObject(notPublic);
    await expect(send(to, address)).rejects.toMatchObject(notPublic);
    expect(resolve.asked).toEqual([]);
  });

  test('is refused even if loopback is allowed, unless it is loopback', async () => {
    const to = guard({ loopback: true });
    const loopback = /127\.|127%2E|2130706433|0x7f|01770|0177|①|\[::1\]|::ffff:7f00|0:0:1\]/;
    const others = internalUrls.filter((form) => !loopback.test(form));
    expect(others.length).toBeGreaterThan(25);
    for (const address of others) await expect(send(to, address)).rejects.toMatchObject(notPublic);
  });
});

describe('a hostname', () => {
  test.each(internalNames)(
    'that resolves to %s is refused, with or without a public IP address',
    async (address) => {
      for (const list of [[address], ['93.184.215.14', address], [address, '93.184.215.14']]) {
        const to = guard({ resolve: names(list) });
        await expect(to.requireAllowed('https://receiver.example/')).rejects.toMatchObject(notPublic);
        await expect(send(to, 'https://receiver.example/')).rejects.toMatchObject(notPublic);
      }
    },
  );

  test.each(localhostUrls)('%s is refused for any DNS answer', async (address) => {
    const to = guard({ resolve: names(['8.8.8.8']) });
    await expect(to.requireAllowed(address)).rejects.toMatchObject(notPublic);
    await expect(send(to, address)).rejects.toMatchObject(notPublic);
  });

  test('that does not resolve passes the check, and fails when it is called', async () => {
    const resolve = () => Promise.reject(new Error('ENOTFOUND'));
    const to = guard({ resolve });
    await to.requireAllowed('https://not-yet.example/');
    await expect(send(to, 'https://not-yet.example/')).rejects.toThrow('ENOTFOUND');
    await expect(send(guard({ resolve: names([]) }), 'https://none.example/')).rejects.toThrow('no address');
  });

  test('that was public when it was checked is refused once it resolves to an internal IP address', async () => {
    const resolve = names(['93.184.215.14'], ['127.0.0.1']);
    const to = guard({ resolve });
    await to.requireAllowed('https://rebinding.example/');
    await expect(send(to, 'https://rebinding.example/')).rejects.toMatchObject(notPublic);
    expect(resolve.asked).toHaveLength(2);
  });

  test('that changes between check and connect is resolved once, and the checked IP address is used', async () => {
    const { port, seen } = await receiver((_, res) => res.end('checked'));
    // A second resolution would return a cloud metadata address, where nothing answers.
    const resolve = names(['127.0.0.1'], ['169.254.169.254']);
    const to = guard({ loopback: true, resolve });
    const answer = await send(to, `http://localhost:${port}/here`);
    expect(answer.body.toString()).toBe('checked');
    expect(seen).toEqual(['POST /here']);
    expect(resolve.asked).toEqual(['localhost']);
  });

  test('other than localhost never connects to loopback, even if loopback is allowed', async () => {
    const { port, seen } = await receiver((_, res) => res.end());
    const to = guard({ loopback: true, resolve: names(['127.0.0.1']) });
    await expect(send(to, `https://receiver.example:${port}/`)).rejects.toMatchObject(notPublic);
    await expect(send(to, `http://receiver.example:${port}/`)).rejects.toMatchObject({ reason: 'not-https' });
    expect(seen).toEqual([]);
  });
});

describe('the answers of the name servers', () => {
  const answers = (v4: string[] | Error, v6: string[] | Error) => {
    const given = (answer: string[] | Error) => async () => {
      if (answer instanceof Error) throw answer;
      return answer as never;
    };
    vi.spyOn(Resolver.prototype, 'resolve4').mockImplementation(given(v4));
    vi.spyOn(Resolver.prototype, 'resolve6').mockImplementation(given(v6));
    opened.push(() => vi.restoreAllMocks());
  };
  const none = new Error('ENODATA');
  const [public4, public6] = ['93.184.215.14', '2606:2800:21f:cb07::1'];

  test.each<[string, string[] | Error, string[] | Error]>([
    ['IPv4 only', ['10.0.0.1'], none],
    ['IPv6 only', none, ['fd00::1']],
    ['IPv4, beside a public one of IPv6', ['10.0.0.1'], [public6]],
    ['IPv6, beside a public one of IPv4', [public4], ['fd00::1']],
  ])('with an internal IP address of %s are refused', async (_, v4, v6) => {
    answers(v4, v6);
    await expect(guard().requireAllowed('https://receiver.example/')).rejects.toMatchObject(notPublic);
    await expect(send(guard(), 'https://receiver.example/')).rejects.toMatchObject(notPublic);
  });

  test.each<[string, string[] | Error, string[] | Error]>([
    ['IPv4', [public4], none],
    ['IPv6', none, [public6]],
    ['both', [public4], [public6]],
  ])('with public IP addresses of %s pass', async (_, v4, v6) => {
    answers(v4, v6);
    await guard().requireAllowed('https://receiver.example/');
  });

  test('that fail for both versions are the error of the call', async () => {
    answers(none, new Error('of IPv6'));
    await expect(send(guard(), 'https://receiver.example/')).rejects.toThrow('ENODATA');
  });
});

test('where Node does not try several IP addresses of a name, the first checked one is used', async () => {
  setDefaultAutoSelectFamily(false);
  opened.push(() => setDefaultAutoSelectFamily(true));
  const { port, seen } = await receiver((_, res) => res.end());
  const to = guard({ loopback: true, resolve: names(['127.0.0.1', '::1']) });
  expect((await send(to, `http://localhost:${port}/`)).status).toBe(200);
  expect(seen).toEqual(['POST /']);
});

describe('a URL that is not a valid https URL is refused:', () => {
  test.each([
    ['http://receiver.example/', 'not-https'],
    ['http://127.0.0.1/', 'not-https'],
    ['http://localhost/', 'not-https'],
    ['ftp://receiver.example/', 'not-https'],
    ['file:///etc/passwd', 'not-https'],
    ['data:text/plain,x', 'not-https'],
    ['unix:/var/run/docker.sock', 'not-https'],
    ['https://user:password@receiver.example/', 'credentials'],
    ['https://user@receiver.example/', 'credentials'],
    ['https://:password@receiver.example/', 'credentials'],
    ['receiver.example', 'not-an-address'],
    ['/path', 'not-an-address'],
    ['', 'not-an-address'],
    ['https://', 'not-an-address'],
    ['https://1.2.3.4.5/', 'not-an-address'],
    ['https://256.256.256.256/', 'not-an-address'],
    ['https://receiver.example/'.padEnd(2_049, 'x'), 'not-an-address'],
  ])('%s (%s)', async (address, reason) => {
    const to = guard({ resolve: names(['93.184.215.14']) });
    await expect(to.requireAllowed(address)).rejects.toMatchObject({ name: 'ForbiddenUrlError', reason });
    await expect(send(to, address)).rejects.toMatchObject({ reason });
  });

  test('but not a public https URL with a port, a path and a query', async () => {
    const resolve = names(['93.184.215.14', '2606:2800:21f:cb07::1']);
    const to = guard({ resolve });
    await to.requireAllowed('https://receiver.example:8443/hooks?app=1');
    await to.requireAllowed('https://receiver.example/'.padEnd(2_048, 'x'));
    await to.requireAllowed('https://93.184.215.14/');
    await to.requireAllowed('https://[2606:2800:21f:cb07::1]/');
    // An IP address is not looked up.
    expect(resolve.asked).toEqual(['receiver.example', 'receiver.example']);
  });
});

test.each([
  ['Foyer', {}],
  ['Foyer-Webhooks/1', { 'User-Agent': 'Foyer-Webhooks/1' }],
  ['Foyer-Webhooks/1', { 'user-agent': 'Foyer-Webhooks/1' }],
])('the User-Agent is %s in a request with the headers %j', async (name, headers) => {
  const { port } = await receiver(({ headersDistinct }, res) => res.end(`${headersDistinct['user-agent']}`));
  const answer = await send(guard({ loopback: true }), `http://localhost:${port}/`, { headers });
  expect(answer.body.toString()).toBe(name);
});

describe('the answer', () => {
  test('may be a redirect, which is not followed', async () => {
    const inside = await receiver((_, res) => res.end('secret'));
    const { port } = await receiver((_, res) => {
      res.writeHead(302, { location: `http://127.0.0.1:${inside.port}/` }).end();
    });
    const answer = await send(guard({ loopback: true }), `http://127.0.0.1:${port}/`);
    expect(answer.status).toBe(302);
    expect(inside.seen).toEqual([]);
  });

  test('is complete, and so is the request: method, headers, body', async () => {
    let body = '';
    const { port, seen } = await receiver((req, res) => {
      req.on('data', (part) => {
        body += part;
      });
      req.on('end', () => res.writeHead(201, { 'x-from': String(req.headers['x-to']) }).end('thanks'));
    });
    const more = { headers: { 'x-to': 'you' }, body: Buffer.from('héllo') };
    const answer = await send(guard({ loopback: true }), `http://localhost:${port}/x?y=1`, more);
    expect(answer).toMatchObject({ status: 201, headers: { 'x-from': 'you' }, body: Buffer.from('thanks') });
    expect(body).toBe('héllo');
    expect(seen).toEqual(['POST /x?y=1']);
  });

  test('that never ends is read to its limit and cut off', async () => {
    let closed: (value: unknown) => void;
    const ended = new Promise((resolve) => {
      closed = resolve;
    });
    const { port } = await receiver((_, res) => {
      res.on('close', () => closed(true));
      const more = () => {
        while (!res.destroyed && res.write('x'.repeat(10_000)));
      };
      res.on('drain', more);
      more();
    });
    const answer = await send(guard({ loopback: true }), `http://127.0.0.1:${port}/`);
    expect(answer.status).toBe(200);
    expect(answer.body).toHaveLength(100);
    expect(await ended).toBe(true);
  });

  test('that stalls after the bytes that are read of it is not waited for', async () => {
    const { port } = await receiver((_, res) => void res.write('x'.repeat(100)));
    const answer = await send(guard({ loopback: true }), `http://127.0.0.1:${port}/`);
    expect(answer.body).toHaveLength(100);
  });

  test.each<[string, RequestListener]>([
    ['that never begins', () => {}],
    ['that drips', (_, res) => void opened.push(clearing(setInterval(() => res.write('x'), 20)))],
    ['that begins and stalls', (_, res) => void res.write('x')],
  ])('%s times out', async (_, listener) => {
    const { port } = await receiver(listener);
    const more = { timeoutMilliseconds: 300, maxAnswerBytes: 10_000 };
    const sent = send(guard({ loopback: true }), `http://127.0.0.1:${port}/`, more);
    await expect(sent).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('of a receiver with an untrusted certificate is an error, and no request is sent', async () => {
    const seen: string[] = [];
    const server = createTlsServer(selfSigned, (req, res) => {
      seen.push(`${req.method} ${req.url}`);
      res.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    opened.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const to = guard({ loopback: true, resolve: names(['127.0.0.1']) });
    const sent = send(to, `https://localhost:${port}/`);
    await expect(sent).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(seen).toEqual([]);
  });

  test('of a connection that closes is a failure', async () => {
    // Closes after the whole request: unread data would turn the close into a reset.
    const server = createTcpServer((socket) => {
      let read = '';
      socket.on('data', (part) => {
        read += part;
        if (read.endsWith('{}')) socket.destroy();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    opened.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const sent = send(guard({ loopback: true }), `http://127.0.0.1:${port}/`);
    await expect(sent).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
  });
});

describe('the connections to receivers', () => {
  test('are kept for the next request to one that was called before, of at most 64', async () => {
    const connections: (string | undefined)[] = [];
    const { port } = await receiver((req, res) => {
      connections.push(req.headers.connection);
      res.end();
    });
    const fetching = guard({ loopback: true, resolve: names(['127.0.0.1']) });
    const call = async (name: string) => {
      await send(fetching, `http://${name}.localhost:${port}/`);
      return connections.at(-1);
    };
    expect([await call('first'), await call('first')]).toEqual(['close', 'keep-alive']);
    for (let other = 0; other < 63; other += 1) expect(await call(`other-${other}`)).toBe('close');
    expect(await call('first')).toBe('keep-alive');
    for (let other = 0; other < 64; other += 1) await call(`further-${other}`);
    expect(await call('first')).toBe('close');
  });

  test('end after a second without a request, however long the receiver asks for', async () => {
    const { server, port } = await receiver((_, res) => res.setHeader('Keep-Alive', 'timeout=600').end());
    server.keepAliveTimeout = 600_000;
    const fetching = guard({ loopback: true });
    const closed = new Promise<number>((resolve) => {
      server.once('connection', () =>
        server.once('connection', (socket) => socket.once('close', () => resolve(performance.now()))),
      );
    });
    await send(fetching, `http://127.0.0.1:${port}/`);
    await send(fetching, `http://127.0.0.1:${port}/`);
    const answeredAt = performance.now();
    expect((await closed) - answeredAt).toBeLessThan(10_000);
  });
});

test('the end of the client ends its requests, and refuses further ones', async () => {
  const to = guard({ loopback: true });
  const { port } = await receiver(() => void to.close());
  await expect(send(to, `http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'UND_ERR_DESTROYED' });
  await expect(send(to, `http://127.0.0.1:${port}/`)).rejects.toThrow('the HTTP client is closed');
});

function clearing(timer: NodeJS.Timeout): () => void {
  return () => clearInterval(timer);
}
