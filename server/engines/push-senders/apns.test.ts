// A connection to APNs whose other end has gone silent.
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Http2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { manualClock } from '../../test/harness.js';
import { apnsSender } from './apns.js';

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
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
    publicKeyEncoding: { format: 'pem', type: 'spki' },
  });
  const key = { teamId: 'team', keyId: 'key', bundleId: 'bundle', privateKey };
  const send = () =>
    sender.send(key, { environment: 'production', token: 'ab', headers: {}, body: '{}' }).then(
      ({ status }) => status,
      () => 'no answer',
    );
  expect(await send()).toBe('no answer');
  expect(await send()).toBe(200);
  expect(vi.mocked(AbortSignal.timeout).mock.calls).toEqual([[10_000], [10_000]]);
});
