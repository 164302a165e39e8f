// An HTTP server of a test on this machine: a provider, a store or a receiver.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on any port by default. */
export async function localServer(answer: RequestListener, port = 0) {
  const server = createServer(answer);
  // It never closes a connection by itself: a request may be in flight on it.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
