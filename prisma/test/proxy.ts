// A server in front of PostgreSQL, for tests that change or hold back what passes through it.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type Proxy = { databaseUrl: string; close(): void };

/** `relay` gets each connection of a client, and opens one to the server for it. */
export async function proxyOf(
  databaseUrl: string,
  relay: (near: Socket, openFar: () => Socket) => void,
): Promise<Proxy> {
  const url = new URL(databaseUrl);
  const target = { host: url.hostname, port: Number(url.port || 5432) };
  const sockets: Socket[] = [];
  const opened = (socket: Socket) => {
    sockets.push(socket.on('error', () => {}));
    return socket;
  };
  const server = createServer((near) => relay(opened(near), () => opened(connect(target))));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    databaseUrl: url.href,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** What a server or a pooler sends to a session that it refuses or ends. */
export function fatal(code: string, message: string): Buffer {
  const fields = `SFATAL\0VFATAL\0C${code}\0M${message}\0\0`;
  return Buffer.from(`E\0\0\0${String.fromCharCode(fields.length + 4)}${fields}`);
}
