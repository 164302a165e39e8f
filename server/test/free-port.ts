// A free port, for services whose URL must be known before they start, and for servers that stop and restart on one
// port. It is below the ephemeral range (from 32768 on Linux, from 49152 elsewhere): a port of that range may become
// the local end of any connection before it is bound. The workers of a test run take theirs from ranges of their own.
import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const ranges = 8;
const portsOfRange = 2_500;
const lowest = 10_000 + (Number(process.env.VITEST_POOL_ID ?? 0) % ranges) * portsOfRange;
const attempts = 5;
/** In this process: two services may ask before the first one listens. */
const given = new Set<number>();

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, lowest + portsOfRange);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
}

/**
 * Starts another program on a free port, and again on a new one if it ends instead of listening: a process of another test
 * run may have taken the port meanwhile.
 */
export async function onFreePort(
  start: (port: number) => Promise<{ child: ChildProcess; isListening: Promise<boolean> }>,
): Promise<{ child: ChildProcess; port: number }> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const port = await freePort();
    const { child, isListening } = await start(port);
    if (await isListening) return { child, port };
  }
  throw new Error(`the program ended ${attempts} times before it listened`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    // On every interface: a process may listen on all of them, or only on this one.
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
