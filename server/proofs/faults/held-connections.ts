// `npm run proofs -w @foyer/server -- held-connections`: one address holds all connections, in each way that needs no credential, and
// opens every one again that it loses, while others come with a connection of their own. All of them must be served.
//   --newcomers 40    clients that come, one after another
//   --limit 512       connections of the service
import { connect, type Socket } from 'node:net';
import { parseArgs } from 'node:util';
import { listen } from '../../engines/http-guard/listen.js';
import { createExpressApp } from '../../src/app.js';
import { testService } from '../../test/harness.js';
import { rawConnection } from '../../test/raw-http.js';

const { values } = parseArgs({
  options: { newcomers: { type: 'string', default: '40' }, limit: { type: 'string', default: '512' } },
});
const newcomers = Number(values.newcomers);
const limit = Number(values.limit);
const proxy = '127.0.0.9';
const attacker = '127.0.0.2';

const service = await testService({ config: { trustProxy: proxy } });
const { port, stop } = await listen(createExpressApp(service.deps), 0, '127.0.0.1', {
  maxConnections: limit,
});
const appKey = `X-App-Key: ${service.app.app.appKey}`;
const request = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'Host: a', ...headers, '\r\n'].join('\r\n');
const forwardedFor = (ip: string) => `X-Forwarded-For: ${ip}`;
const signIn = [
  'POST /api/v2/auth/sign-in',
  appKey,
  'Content-Type: application/json',
  'Content-Length: 900',
] as const;
const bundle = request('GET /docs/redoc.standalone.js');

type Attack = { from: string; bytes: string | null; reads?: boolean };
const attacks: Record<string, Attack> = {
  nothing: { from: attacker, bytes: null },
  'idle connections': { from: attacker, bytes: '' },
  'half of a head': { from: attacker, bytes: 'GET /healthz HTTP/1.1\r\nHost: a\r\n' },
  'half of a body': { from: attacker, bytes: `${request(...signIn)}{"email":` },
  '16 pipelined documents, not read': { from: attacker, bytes: bundle.repeat(16), reads: false },
  'half of a body, through a proxy': {
    from: proxy,
    bytes: `${request(...signIn, forwardedFor('198.51.100.1'))}{"email":`,
  },
};

/** Opens as many connections as there may be, and each again that is cut, as far as a client that reads nothing notices. */
function attack({ from, bytes, reads = true }: Attack) {
  const open = new Set<Socket>();
  let opened = 0;
  let isOver = bytes === null;
  const add = () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from }, () => socket.write(bytes ?? ''));
    socket.on('error', () => {});
    if (reads) socket.resume();
    else socket.pause();
    opened += 1;
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      if (!isOver) setTimeout(add, 1_000);
    });
  };
  if (bytes !== null) for (let count = 0; count < limit; count += 1) add();
  return {
    opened: () => opened,
    stop() {
      isOver = true;
      for (const socket of open) socket.destroy();
    },
  };
}

/** Milliseconds until the answer; null without one. */
async function served(newcomer: number, from: string): Promise<number | null> {
  const began = performance.now();
  const direct = from === attacker;
  const connection = await rawConnection(port, direct ? `127.0.1.${newcomer + 1}` : from);
  connection.socket.on('error', () => {});
  const answer = new Promise<number | null>((resolve) => {
    setTimeout(() => resolve(null), 10_000).unref();
    connection.send(
      request('GET /api/v2/config', appKey, ...(direct ? [] : [forwardedFor(`203.0.113.${newcomer + 1}`)])),
    );
    connection.answer().then(
      ({ status }) => resolve(status === 200 ? performance.now() - began : null),
      () => resolve(null),
    );
  });
  const milliseconds = await answer;
  connection.close();
  return milliseconds;
}

console.log(`${limit} connections; ${newcomers} newcomers, one after another\n`);
let lost = 0;
for (const [name, each] of Object.entries(attacks)) {
  const running = attack(each);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const times: number[] = [];
  for (let newcomer = 0; newcomer < newcomers; newcomer += 1) {
    const milliseconds = await served(newcomer, each.from);
    if (milliseconds !== null) times.push(milliseconds);
  }
  running.stop();
  times.sort((a, b) => a - b);
  lost += newcomers - times.length;
  const figure = (share: number) => `${times[Math.floor(times.length * share)]?.toFixed(1) ?? '-'} ms`;
  console.log(
    `${name.padEnd(34)} ${times.length} of ${newcomers} served, p50 ${figure(0.5)}, p95 ${figure(0.95)}; ` +
      `the attacker opened ${running.opened()} connections`,
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
}
await stop(1_000);
await service.stop();
process.exit(lost === 0 ? 0 : 1);
