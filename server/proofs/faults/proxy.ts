// A TCP proxy that cuts, stalls or delays what passes, or loses the answers.
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '../../test/free-port.js';

export type ProxyMode = 'forward' | 'cut' | 'stall' | 'slow' | 'lose answers';

const slowMilliseconds = 40;

export type FaultProxy = Awaited<ReturnType<typeof faultProxy>>;

export async function faultProxy(targetPort: () => number) {
  let mode: ProxyMode = 'forward';
  const pairs = new Set<{ near: Socket; far: Socket }>();
  const server = createServer((near) => {
    if (mode === 'cut') return near.destroy();
    const far = connect(targetPort(), '127.0.0.1');
    const pair = { near, far };
    pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (data) => {
        if (mode === 'lose answers' && from === far) return;
        if (mode === 'slow') setTimeout(() => to.writable && to.write(data), slowMilliseconds);
        else to.write(data);
      });
      from.on('error', () => {});
      from.on('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
    }
    if (mode === 'stall') pause(pair);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));

  function destroyAll(): void {
    for (const { near, far } of pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  }

  return {
    port,
    set(next: ProxyMode) {
      // Bytes were lost or may be reordered, so no connection outlives these modes.
      if (next === 'cut' || mode === 'lose answers' || mode === 'slow') destroyAll();
      for (const pair of pairs) {
        if (next === 'stall') pause(pair);
        else for (const socket of [pair.near, pair.far]) socket.resume();
      }
      mode = next;
    },
    close() {
      destroyAll();
      server.close();
    },
  };
}

function pause({ near, far }: { near: Socket; far: Socket }): void {
  near.pause();
  far.pause();
}
