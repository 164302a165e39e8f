// A connection to APNs whose other end has gone silent.
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import http2, {
  type ClientHttp2Session,
  createServer,
  type Http2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { manualClock } from '../../test/harness.js';
import { apnsSender } from './apns.js';

const { privateKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
  publicKeyEncoding: { format: 'pem', type: 'spki' },
});
const key = { teamId: 'team', keyId: 'key', bundleId: 'bundle', privateKey };
const message = { environment: 'production', token: 'ab', headers: {}, body: '{}' } as const;

/** Sends to a server that answers each stream so, and notes the connections that are made. */
async function senderTo(answer: (stream: ServerHttp2Stream) => void) {
  const server = createServer().on('stream', answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { connect } = http2;
  const made: { session: ClientHttp2Session; keepsProcess: boolean }[] = [];
  const noting = (to: string) => {
    const session = connect(to);
    const one = { session, keepsProcess: true };
    const { unref } = session;
    session.unref = () => {
      one.keepsProcess = false;
      unref.call(session);
    };
    made.push(one);
    return session;
  };
  const set = (instead: unknown) => {
    Object.assign(http2, { connect: instead });
    syncBuiltinESMExports();
  };
  set(noting);
  const sender = apnsSender({ clock: manualClock() }, { apnsUrl: url, apnsSandboxUrl: url });
  onTestFinished(async () => {
    set(connect);
    await sender.close();
    server.close();
  });
  return { send: () => sender.send(key, message), close: () => sender.close(), made, server };
}

const accept = (stream: ServerHttp2Stream) => stream.respond({ ':status': 200 }, { endStream: true });

test('a connection is used again until it was idle for a minute, and does not keep the process from its end', async () => {
  const { send, made } = await senderTo(accept);
  for (let count = 0; count < 2; count += 1) expect((await send()).status).toBe(200);
  expect(made.map(({ keepsProcess }) => keepsProcess)).toEqual([false]);
  const [first] = made;
  expect(first?.session).toHaveProperty('timeout', 60_000);
  first?.session.emit('timeout');
  expect(first?.session.closed).toBe(true);
  expect((await send()).status).toBe(200);
  expect(made).toHaveLength(2);
});

test('the connections are closed with the sender', async () => {
  const { send, close, made } = await senderTo(accept);
  await send();
  await close();
  expect(made.map(({ session }) => session.destroyed)).toEqual([true]);
});

test('a message right after the end of a connection opens another', async () => {
  const { send, made } = await senderTo(accept);
  await send();
  made[0]?.session.destroy();
  expect((await send()).status).toBe(200);
  expect(made).toHaveLength(2);
});

test.each([
  [1_000, 'BadDeviceToken'],
  [100_000, null],
])('of an answer with %i bytes more than its reason, the reason is %s', async (more, reason) => {
  const { send } = await senderTo((stream) => {
    stream.respond({ ':status': 400 });
    stream.end(JSON.stringify({ more: 'x'.repeat(more), reason: 'BadDeviceToken' }));
  });
  expect(await send()).toMatchObject({ status: 400, reason });
});

test('a stream that ends without an answer is an error of its message', async () => {
  const { send } = await senderTo((stream) => stream.close());
  await expect(send()).rejects.toThrow('APNs closed the stream without an answer');
});

test('a server that cannot be reached is an error of the message alone', async () => {
  const { send, made, server } = await senderTo(accept);
  server.close();
  await once(server, 'close');
  await expect(send()).rejects.toThrow();
  await vi.waitUntil(() => made[0]?.session.destroyed, { timeout: 60_000 });
  // An error of the connection that nothing handles would end the process.
  expect(made[0]?.session.listenerCount('error')).toBeGreaterThan(0);
});

test('a message that is not answered in time costs its connection, so that the next one uses a new one', async () => {
  const silent = new Set<Http2Session | undefined>();
  const server = createServer();
  server.on('stream', (stream) => {
    stream.on('error', () => {});
    if (silent.size === 0) silent.add(stream.session);
    if (silent.has(stream.session)) timeouts.shift()?.abort(new Error('timed out'));
    else stream.respond({ ':status': 200 }, { endStream: true });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const timeouts: AbortController[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const timeout = new AbortController();
    timeouts.push(timeout);
    return timeout.signal;
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sender = apnsSender({ clock: manualClock() }, { apnsUrl: url, apnsSandboxUrl: url });
  onTestFinished(async () => {
    vi.restoreAllMocks();
    await sender.close();
    server.close();
  });
  const send = () =>
    sender.send(key, message).then(
      ({ status }) => status,
      () => 'no answer',
    );
  expect(await send()).toBe('no answer');
  expect(await send()).toBe(200);
  expect(vi.mocked(AbortSignal.timeout).mock.calls).toEqual([[10_000], [10_000]]);
});
