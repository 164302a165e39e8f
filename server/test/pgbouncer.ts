// PgBouncer in transaction mode in front of a test database, where it is installed.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onFreePort } from './free-port.js';

export const hasPgbouncer = spawnSync('pgbouncer', ['--version']).status === 0;

export type Pgbouncer = { databaseUrl: string; stop(): Promise<void> };

/** With fewer connections to PostgreSQL than its clients have, so that every transaction may run on another one. */
export async function startPgbouncer(databaseUrl: string, connections: number): Promise<Pgbouncer> {
  const server = new URL(databaseUrl);
  const directory = await mkdtemp(join(tmpdir(), 'foyer-pgbouncer-'));
  await chmod(directory, 0o755);
  const users = join(directory, 'users.txt');
  const settings = join(directory, 'pgbouncer.ini');
  await writeFile(users, `"${server.username}" "${server.password}"\n`);
  const settingsFor = (port: number) => `[databases]
* = host=${server.hostname} port=${server.port || 5432}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${connections}
`;
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ['--user', 'nobody'] : [];
  const { child, port } = await onFreePort(async (port) => {
    await writeFile(settings, settingsFor(port));
    const child = spawn('pgbouncer', [...user, settings], { stdio: ['ignore', 'ignore', 'pipe'] });
    return { child, isListening: logs(child, `listening on 127.0.0.1:${port}`) };
  });
  const ended = once(child, 'exit');
  const pooled = new URL(databaseUrl);
  pooled.host = `127.0.0.1:${port}`;
  return {
    databaseUrl: pooled.toString(),
    async stop() {
      child.kill('SIGKILL');
      await ended;
      await rm(directory, { recursive: true });
    },
  };
}

/** Whether the process writes the text to its log, which it does not if it ends before. */
function logs({ stderr }: ChildProcess, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    let log = '';
    function read(chunk: Buffer): void {
      log += chunk;
      if (!log.includes(text)) return;
      resolve(true);
      stderr?.off('data', read).resume();
    }
    stderr?.on('data', read).once('end', () => resolve(false));
  });
}
