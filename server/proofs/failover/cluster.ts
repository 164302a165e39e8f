// A PostgreSQL primary and a synchronous standby under Patroni, with etcd and HAProxy in front, as processes of this machine. A
// node's Patroni and PostgreSQL together stand for a machine.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/free-port.js';
import { childrenOf, idsOf, isRoot, newestBin } from '../faults/postgresql.js';
import { programPath } from './missing-programs.js';

export type PatroniCluster = Awaited<ReturnType<typeof startPatroniCluster>>;

type Node = ReturnType<typeof newNode>;
type Member = { name: string; role: string; state: string };

const waitMilliseconds = 180_000;

/** Uses what the documentation recommends: a dead primary is replaced after about 20 seconds. */
const dynamicSettings = (synchronous_commit: 'on' | 'local') => ({
  ttl: 20,
  loop_wait: 5,
  retry_timeout: 5,
  synchronous_mode: true,
  postgresql: {
    use_pg_rewind: true,
    parameters: { max_connections: 60, wal_keep_size: '256MB', synchronous_commit },
  },
});

/** With `local`, commits do not wait for the standby, and a failover can lose them. */
export async function startPatroniCluster(synchronousCommit: 'on' | 'local' = 'on') {
  const directory = mkdtempSync(join(tmpdir(), 'foyer-failover-'));
  // PostgreSQL refuses to run as root.
  const owner = isRoot ? idsOf('postgres') : null;
  if (owner) chownSync(directory, owner.uid, owner.gid);
  const log = openSync(join(directory, 'log'), 'a');
  const run = (program: string, args: string[]): ChildProcess =>
    spawn(program, args, {
      ...owner,
      cwd: directory,
      stdio: ['ignore', log, log],
      env: { PATH: programPath, HOME: directory },
    });
  const [etcdPort, peerPort, port] = [await freePort(), await freePort(), await freePort()];
  const services: ChildProcess[] = [];
  const nodes: Node[] = [];

  async function members(): Promise<Member[]> {
    for (const { rest } of nodes) {
      const answer = await fetch(`http://127.0.0.1:${rest}/cluster`, { signal: AbortSignal.timeout(2_000) })
        .then((response) => response.json() as Promise<{ members: Member[] }>)
        .catch(() => null);
      if (answer) return answer.members;
    }
    return [];
  }

  async function nodeOf(role: 'leader' | 'sync_standby'): Promise<Node> {
    const member = (await members()).find((each) => each.role === role);
    const node = nodes.find(({ name }) => name === member?.name);
    if (!node) throw new Error(`the cluster has no ${role}`);
    return node;
  }

  async function until(isSo: () => Promise<boolean>, otherwise: string): Promise<void> {
    const giveUpAt = performance.now() + waitMilliseconds;
    while (!(await isSo())) {
      if (performance.now() > giveUpAt)
        throw new Error(`${otherwise}:\n${readFileSync(join(directory, 'log'), 'utf8').slice(-3_000)}`);
      await sleep(100);
    }
  }

  /** A primary, and a standby that every commit waits for. */
  const untilHealthy = () =>
    until(async () => {
      const running = (await members()).filter(({ state }) => ['running', 'streaming'].includes(state));
      return ['leader', 'sync_standby'].every((role) => running.some((member) => member.role === role));
    }, 'the cluster is not healthy');

  /** Waits until a node other than `former` is the primary. */
  const untilReplaced = (former: Node) =>
    until(async () => {
      const leader = (await members()).find(({ role, state }) => role === 'leader' && state === 'running');
      return leader !== undefined && leader.name !== former.name;
    }, `${former.name} was not replaced`);

  /** Waits until commits of the primary no longer wait for its standby. */
  const untilStandbyGivenUp = (leader: Node) =>
    until(leader.waitsForNoStandby, `${leader.name} still waits for its standby`);

  function removeAtOnce(): void {
    for (const node of nodes) node.signal('SIGKILL');
    for (const child of services) child.kill('SIGKILL');
    // Processes that end may still write to it.
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
  // A run that is stopped leaves no server running.
  process.once('exit', removeAtOnce);

  async function remove(): Promise<void> {
    process.off('exit', removeAtOnce);
    removeAtOnce();
    closeSync(log);
  }

  try {
    services.push(run('etcd', etcdArguments(directory, etcdPort, peerPort)));
    for (const name of ['a', 'b']) {
      const [postgres, rest] = [await freePort(), await freePort()];
      nodes.push(newNode({ name, directory, postgres, rest, etcdPort, synchronousCommit, owner, run }));
    }
    const proxyFile = join(directory, 'haproxy.cfg');
    writeFileSync(proxyFile, haproxySettings(port, nodes));
    services.push(run('haproxy', ['-db', '-f', proxyFile]));
    for (const node of nodes) {
      node.start();
      // The first initializes the cluster, and the second copies it.
      await sleep(1_000);
    }
    await untilHealthy();
  } catch (error) {
    await remove();
    throw error;
  }
  const url = `postgresql://postgres:secret@127.0.0.1:${port}/postgres`;
  return { port, url, nodeOf, untilHealthy, untilReplaced, untilStandbyGivenUp, remove };
}

type NodeOptions = {
  name: string;
  directory: string;
  postgres: number;
  rest: number;
  etcdPort: number;
  synchronousCommit: 'on' | 'local';
  owner: { uid: number; gid: number } | null;
  run(program: string, args: string[]): ChildProcess;
};

function newNode(options: NodeOptions) {
  const { name, directory, rest, owner, run } = options;
  const home = join(directory, name);
  mkdirSync(home);
  if (owner) chownSync(home, owner.uid, owner.gid);
  const file = join(home, 'patroni.json');
  writeFileSync(file, JSON.stringify(patroniSettings(options, home)));
  let patroni: ChildProcess | undefined;
  const postmaster = () => {
    const pidFile = join(home, 'data/postmaster.pid');
    return existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : null;
  };
  const send = (pid: number | null | undefined, signal: NodeJS.Signals) => {
    if (!pid) return;
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  };
  return {
    name,
    rest,
    postgres: options.postgres,
    start() {
      patroni = run('patroni', [file]);
    },
    killPostmaster: () => send(postmaster(), 'SIGKILL'),
    /** The standby receives nothing more, and does not know it. */
    stopReplication: () => spawnSync('pkill', ['-STOP', '-P', String(postmaster()), '-f', 'walsender']),
    async waitsForNoStandby(): Promise<boolean> {
      const answer = await fetch(`http://127.0.0.1:${rest}/patroni`, { signal: AbortSignal.timeout(2_000) })
        .then((response) => response.json() as Promise<{ replication?: { sync_state: string }[] }>)
        .catch(() => null);
      return answer !== null && !(answer.replication ?? []).some(({ sync_state }) => sync_state === 'sync');
    },
    /** Signals everything that runs on the machine; Patroni first, so that it repairs nothing. */
    signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT') {
      send(patroni?.pid, signal);
      const parent = postmaster();
      if (!parent) return;
      const children = childrenOf(parent);
      for (const pid of [parent, ...children]) send(pid, signal);
    },
    async switchover(candidate: string): Promise<void> {
      const answer = await fetch(`http://127.0.0.1:${rest}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: name, candidate }),
      });
      if (!answer.ok) throw new Error(`the switchover answered ${answer.status}: ${await answer.text()}`);
    },
  };
}

function patroniSettings({ name, postgres, rest, etcdPort, synchronousCommit }: NodeOptions, home: string) {
  const user = (username: string) => ({ username, password: 'secret' });
  return {
    scope: 'foyer',
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: dynamicSettings(synchronousCommit),
      initdb: [{ encoding: 'UTF8' }, 'data-checksums', 'no-sync'],
      pg_hba: ['host all all 127.0.0.1/32 md5', 'host replication all 127.0.0.1/32 md5'],
    },
    postgresql: {
      listen: `127.0.0.1:${postgres}`,
      connect_address: `127.0.0.1:${postgres}`,
      data_dir: join(home, 'data'),
      bin_dir: newestBin(),
      pgpass: join(home, 'pgpass'),
      authentication: {
        superuser: user('postgres'),
        replication: user('replicator'),
        rewind: user('rewinder'),
      },
      parameters: { unix_socket_directories: home },
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
  };
}

function etcdArguments(directory: string, client: number, peer: number): string[] {
  const [clientUrl, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
  return [
    ...['--data-dir', join(directory, 'etcd'), '--name', 'foyer', '--initial-cluster', `foyer=${peerUrl}`],
    ...['--listen-client-urls', clientUrl, '--advertise-client-urls', clientUrl],
    ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
  ];
}

/** Leads to the primary, as Patroni tells it, and closes the connections to a former one. */
function haproxySettings(port: number, nodes: Node[]): string {
  const servers = nodes.map(
    ({ name, postgres, rest }) => `  server ${name} 127.0.0.1:${postgres} check port ${rest}`,
  );
  return `defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}
