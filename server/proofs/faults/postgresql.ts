// A PostgreSQL cluster of the harness's own, which it kills, freezes and fills.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../test/free-port.js';

export const serverVersions = '/usr/lib/postgresql';
export const isRoot = userInfo().uid === 0;
const diskMebibytes = 400;

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

export async function startCluster() {
  const bin = newestBin();
  const mount = mkdtempSync(join(tmpdir(), 'foyer-faults-'));
  // A disk of its own can be filled. Only root can make one.
  const hasDisk =
    isRoot &&
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMebibytes}m`, 'foyer-faults', mount]).status === 0;
  // The server refuses to run as root.
  const owner = isRoot ? idsOf('postgres') : null;
  if (owner) chownSync(mount, owner.uid, owner.gid);
  const data = join(mount, 'data');
  execFileSync(join(bin, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync'], {
    ...owner,
    cwd: mount,
    stdio: 'ignore',
  });
  const log = openSync(join(mount, 'log'), 'a');
  const port = await freePort();
  const settings = ['max_wal_size=96MB', 'min_wal_size=32MB', 'max_connections=60'].flatMap((each) => [
    '-c',
    each,
  ]);
  const args = ['-D', data, '-p', String(port), '-k', mount, ...settings];
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const filler = join(mount, 'filler');
  let server: ChildProcess | undefined;

  /** Starts again while the processes of a killed server still hold its memory, or it finds no space. */
  async function start(): Promise<void> {
    for (let tries = 0; tries < 1_000; tries += 1) {
      if (!isAlive(server)) {
        server = spawn(join(bin, 'postgres'), args, { ...owner, cwd: mount, stdio: ['ignore', log, log] });
      }
      await sleep(50);
      const ready = spawnSync(join(bin, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)]);
      if (isAlive(server) && ready.status === 0) return;
    }
    throw new Error(`PostgreSQL does not start:\n${readFileSync(join(mount, 'log'), 'utf8').slice(-3_000)}`);
  }

  /** SIGINT ends it as an operator does; SIGKILL ends all its processes at once, so that none writes what it still holds. */
  async function end(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    const ending = server;
    if (!ending || !isAlive(ending)) return;
    const exit = once(ending, 'exit');
    const children = signal === 'SIGKILL' ? childrenOf(ending.pid as number) : [];
    ending.kill(signal);
    for (const pid of children) endIfAlive(pid);
    await exit;
  }

  await start();
  return {
    port,
    url,
    hasDisk,
    start,
    end,
    signal(signal: 'SIGSTOP' | 'SIGCONT') {
      const parent = server?.pid as number;
      for (const pid of [parent, ...childrenOf(parent)]) process.kill(pid, signal);
    },
    fillDisk() {
      const { bavail, bsize } = statfsSync(mount);
      execFileSync('fallocate', ['-l', String(bavail * bsize), filler]);
    },
    freeDisk: () => rmSync(filler, { force: true }),
    /** Runs SQL on a connection of its own, past every proxy. */
    async sql(...statements: string[]): Promise<void> {
      const client = new pg.Client({ connectionString: url });
      client.on('error', () => {});
      await client.connect();
      for (const statement of statements) await client.query(statement);
      await client.end();
    },
    /** Connections that stay open until `close`. */
    async hold(count: number): Promise<{ close(): Promise<unknown> }> {
      const clients = Array.from({ length: count }, () => new pg.Client({ connectionString: url }));
      const open = await Promise.allSettled(
        clients.map((client) => {
          client.on('error', () => {});
          return client.connect();
        }),
      );
      const held = clients.filter((_, place) => open[place]?.status === 'fulfilled');
      return { close: () => Promise.allSettled(held.map((client) => client.end())) };
    },
    async remove() {
      await end('SIGKILL');
      closeSync(log);
      if (hasDisk) spawnSync('umount', ['-l', mount]);
      rmSync(mount, { recursive: true, force: true });
    },
  };
}

function isAlive(child: ChildProcess | undefined): boolean {
  return child !== undefined && child.exitCode === null && child.signalCode === null;
}

/** A connection's process may have ended since it was listed. */
function endIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export function newestBin(): string {
  const bin = findBin(serverVersions);
  if (bin === null) throw new Error(`no PostgreSQL server is installed in ${serverVersions}`);
  return bin;
}

/** Finds the newest version; null if no PostgreSQL server is installed. */
export function findBin(versions: string): string | null {
  const newest = (existsSync(versions) ? readdirSync(versions) : [])
    .filter((name) => statSync(join(versions, name, 'bin/initdb'), { throwIfNoEntry: false }))
    .sort((one, other) => Number(other) - Number(one))[0];
  return newest === undefined ? null : join(versions, newest, 'bin');
}

export function idsOf(user: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

export function childrenOf(parent: number): number[] {
  const found = spawnSync('pgrep', ['-P', String(parent)], { encoding: 'utf8' });
  return found.stdout.split('\n').filter(Boolean).map(Number);
}
