// A free port, for services whose URL must be known before they start, and for servers that stop and restart on one
// port. It is below the ephemeral range (from 32768 on Linux, from 49152 elsewhere): a port of that range may become
// the local end of any connection before it is bound.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const lowest = 10_000;
const highest = 32_000;
/** In this process: two services may ask before the first one listens. */
const given = new Set<number>();

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    // On every interface: a process may listen on all of them, or only on this one.
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
