// A TCP proxy that a test can cut, stall and restore, to make a database or Redis unreachable and reachable again.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './free-port.js';

export type CutProxy = Awaited<ReturnType<typeof cutProxy>>;

export async function cutProxy(target: { host: string; port: number }) {
  const pairs = new Set<{ near: Socket; far: Socket }>();
  let stalled = false;
  let server: Server | undefined;
  // A port that the system assigns to no other socket while the proxy is cut.
  const port = await freePort();

  async function open(): Promise<void> {
    if (server) return;
    server = createServer((near) => {
      const far = connect(target);
      const pair = { near, far };
      pairs.add(pair);
      for (const socket of [near, far]) {
        socket.on('error', () => {});
        socket.on('close', () => {
          near.destroy();
          far.destroy();
          pairs.delete(pair);
        });
      }
      if (!stalled) flow(pair);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }

  function flow({ near, far }: { near: Socket; far: Socket }): void {
    near.pipe(far);
    far.pipe(near);
  }

  async function cut(): Promise<void> {
    const closing = server;
    server = undefined;
    for (const { near, far } of pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
    if (closing) await new Promise((resolve) => closing.close(resolve));
  }

  await open();
  return {
    port,
    /** Closes every connection and refuses new ones. */
    cut,
    /** Accepts connections and leaves them open, but forwards nothing. */
    stall() {
      stalled = true;
      for (const { near, far } of pairs) {
        near.unpipe(far).pause();
        far.unpipe(near).pause();
      }
    },
    /** Serves new connections; those that are stalled stay so, as when the other side has forgotten them. */
    serveNewOnes() {
      stalled = false;
    },
    async mend() {
      const held = stalled;
      stalled = false;
      if (held) for (const pair of pairs) flow(pair);
      await open();
    },
    close: cut,
  };
}
