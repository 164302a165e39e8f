// What the first bytes to a server say: whether they are encrypted, and whose password they have.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type RedisAddress, redisAddress } from './redis-address.js';
import { redisClient } from './redis-client.js';

/** The first bytes that the client of this URL sends, where `host` is a server that does not answer. */
async function firstBytes(urlOf: (host: string) => string): Promise<Buffer> {
  const accepted: Socket[] = [];
  const server = createServer((socket) => accepted.push(socket.on('error', () => {})));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = urlOf(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  const client = redisClient(redisAddress(url) as RedisAddress, 60_000);
  onTestFinished(() => {
    for (const socket of accepted) socket.destroy();
    server.close();
  });
  client.connect().then(
    () => {},
    () => {},
  );
  const [socket] = (await once(server, 'connection')) as [Socket];
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  return bytes;
}

const clientHello = 0x16;

test.each(['rediss://', 'rediss+cluster://', 'rediss+sentinel://'])('%s begins with TLS', async (scheme) => {
  const bytes = await firstBytes(
    (host) => `${scheme}${host}${scheme.includes('sentinel') ? '/primary' : ''}`,
  );
  expect(bytes[0]).toBe(clientHello);
});

test.each([
  ['redis://ada:secret@', 'AUTH\r\n$3\r\nada\r\n$6\r\nsecret'],
  ['redis+cluster://ada:secret@', 'AUTH\r\n$3\r\nada\r\n$6\r\nsecret'],
  ['redis+cluster://:secret@', 'AUTH\r\n$7\r\ndefault\r\n$6\r\nsecret'],
])('%s signs in with the user and the password', async (start, command) => {
  expect((await firstBytes((host) => `${start}${host}`)).toString()).toContain(command);
});
