// A port that nothing listens on, for services whose address must be known before they start, and for servers that go and
// come back at the same one. It lies below those that the system hands out by itself (from 32768 on with Linux, from 49152
// on elsewhere): one of these may be another's, as the near end of any connection, before it is listened on.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const lowest = 10_000;
const highest = 32_000;
/** Of this process: two services may ask before the first of them listens. */
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
    // On every address: a process may listen on all of them, or on this one alone.
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
