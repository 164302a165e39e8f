// Redis servers of a test's own, where redis-server is installed: one alone, a cluster, or a primary and its replica under a
// Sentinel.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'redis';
import { freePort, onFreePort } from './free-port.js';

export const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0;

export type RedisServers = {
  ports: number[];
  /** Sends a command to one server. */
  ask(place: number, ...command: string[]): Promise<unknown>;
  kill(place: number): Promise<void>;
  /** Starts a server again that was killed, without its data. */
  restart(place: number): Promise<void>;
  stop(): Promise<void>;
};

/** The configuration of a server besides its port; `ports` are those of the servers before it. */
type LinesOf = (ports: number[], place: number) => Promise<string[]>;

async function redisServers(count: number, linesOf: LinesOf) {
  const directory = await mkdtemp(join(tmpdir(), 'foyer-redis-'));
  const ports: number[] = [];
  const children: ChildProcess[] = [];
  for (let place = 0; place < count; place += 1) {
    const file = join(directory, `${place}.conf`);
    const { child, port } = await onFreePort(async (port) => {
      const own = await linesOf(ports, place);
      const lines = [`port ${port}`, 'bind 127.0.0.1', `dir ${directory}`, ...own];
      await writeFile(file, `${lines.join('\n')}\n`);
      const isSentinel = own.some((line) => line.startsWith('sentinel '));
      const args = isSentinel ? [file, '--sentinel'] : [file, '--save', ''];
      const child = spawn('redis-server', args, { stdio: 'ignore' });
      return { child, isListening: answersOn(port, child) };
    });
    ports.push(port);
    children.push(child);
  }

  async function kill(place: number): Promise<void> {
    const child = children[place] as ChildProcess;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  return {
    ports,
    kill,
    async restart(place: number) {
      const child = spawn('redis-server', [join(directory, `${place}.conf`), '--save', ''], {
        stdio: 'ignore',
      });
      children[place] = child;
      if (!(await answersOn(ports[place] as number, child)))
        throw new Error('redis-server ended at its start');
    },
    ask: (place: number, ...command: string[]) => ask(ports[place] as number, command),
    async stop() {
      for (const place of children.keys()) await kill(place);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export function redisAlone(): Promise<RedisServers> {
  return redisServers(1, async () => []);
}

/** Three primaries, each with a third of the slots. */
export async function redisCluster(): Promise<RedisServers> {
  const buses: number[] = [];
  const servers = await redisServers(3, async (_ports, place) => {
    buses[place] = await freePort();
    return ['cluster-enabled yes', `cluster-config-file nodes-${place}.conf`, `cluster-port ${buses[place]}`];
  });
  for (const [place, [first, last]] of [
    [0, 5_460],
    [5_461, 10_922],
    [10_923, 16_383],
  ].entries()) {
    await servers.ask(place, 'CLUSTER', 'ADDSLOTSRANGE', `${first}`, `${last}`);
    await servers.ask(place, 'CLUSTER', 'SET-CONFIG-EPOCH', `${place + 1}`);
    if (place > 0) {
      await servers.ask(0, 'CLUSTER', 'MEET', '127.0.0.1', `${servers.ports[place]}`, `${buses[place]}`);
    }
  }
  for (const place of servers.ports.keys()) {
    await until(async () => String(await servers.ask(place, 'CLUSTER', 'INFO')).includes('cluster_state:ok'));
  }
  return servers;
}

/** Server 0 is the primary, 1 its replica, and 2 the Sentinel that watches them as `mymaster`. */
export async function redisUnderSentinel(): Promise<RedisServers> {
  const servers = await redisServers(3, async (ports, place) => {
    if (place === 0) return [];
    if (place === 1) return [`replicaof 127.0.0.1 ${ports[0]}`];
    return [
      `sentinel monitor mymaster 127.0.0.1 ${ports[0]} 1`,
      'sentinel down-after-milliseconds mymaster 500',
      'sentinel failover-timeout mymaster 5000',
    ];
  });
  await until(async () =>
    String(await servers.ask(1, 'INFO', 'replication')).includes('master_link_status:up'),
  );
  await until(
    async () => ((await servers.ask(2, 'SENTINEL', 'REPLICAS', 'mymaster')) as unknown[]).length === 1,
  );
  return servers;
}

async function ask(port: number, command: string[]): Promise<unknown> {
  const client = createClient({ socket: { host: '127.0.0.1', port, reconnectStrategy: false } });
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.sendCommand(command);
  } finally {
    client.destroy();
  }
}

/** Whether the process itself answers, which it does not if it ends before. */
async function answersOn(port: number, child: ChildProcess): Promise<boolean> {
  const ended = once(child, 'exit');
  while (child.exitCode === null && child.signalCode === null) {
    const info = await Promise.race([ask(port, ['INFO', 'server']).catch(() => {}), ended]);
    if (String(info).includes(`process_id:${child.pid}\r`)) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 50));
}
