// A host that is far away, beside an IP address that cannot be reached.
import { once } from 'node:events';
import {
  connect,
  getDefaultAutoSelectFamilyAttemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout,
} from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectPatiently } from './patient-connections.js';
import { type Resolve, ssrfSafeFetch } from './ssrf-safe-fetch.js';

const before = getDefaultAutoSelectFamilyAttemptTimeout();
const opened: (() => unknown)[] = [];
beforeEach(() => setDefaultAutoSelectFamilyAttemptTimeout(before));
afterEach(async () => {
  setDefaultAutoSelectFamilyAttemptTimeout(before);
  for (const close of opened.splice(0).reverse()) await close();
});

/** Accepts nothing until `accept` is called: the system drops the connections that do not fit into its queue. */
async function busyHost(): Promise<{ port: number; accept(): void }> {
  const held = new Int32Array(new SharedArrayBuffer(4));
  const script = `const { parentPort, workerData } = require('node:worker_threads');
    const server = require('node:http').createServer((_, res) => res.end('far away'));
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      parentPort.postMessage(server.address().port);
      Atomics.wait(workerData, 0, 0);
    });`;
  const worker = new Worker(script, { eval: true, workerData: held });
  opened.push(() => worker.terminate());
  const [port] = (await once(worker, 'message')) as [number];
  const queued = [1, 2, 3].map(() => connect(port, '127.0.0.1'));
  for (const socket of queued) {
    socket.on('error', () => {});
    opened.push(() => socket.destroy());
  }
  await Promise.all(queued.slice(0, 2).map((socket) => once(socket, 'connect')));
  const accept = () => {
    Atomics.store(held, 0, 1);
    Atomics.notify(held, 0);
  };
  opened.push(accept);
  return { port, accept };
}

/** The host listens at the first one only. */
const both = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

test('a connection that takes a second to be accepted is not given up for one that is refused', async () => {
  connectPatiently();
  const { port, accept } = await busyHost();
  const resolve: Resolve = async () => {
    // The system sends the dropped first packet again after a second.
    setImmediate(() => setImmediate(accept));
    return both;
  };
  const way = ssrfSafeFetch({ loopback: true, resolve });
  opened.push(() => way.close());
  const asked = { headers: {}, body: '{}', timeoutMilliseconds: 10_000, maxAnswerBytes: 100 };
  const answer = await way.send(`http://localhost:${port}/`, asked);
  expect(answer.body.toString()).toBe('far away');
});

test('each IP address of a host has 2.5 seconds to accept a connection', () => {
  connectPatiently();
  expect(getDefaultAutoSelectFamilyAttemptTimeout()).toBe(2_500);
});

test('a longer time that the operator has set remains', () => {
  setDefaultAutoSelectFamilyAttemptTimeout(4_000);
  connectPatiently();
  expect(getDefaultAutoSelectFamilyAttemptTimeout()).toBe(4_000);
});
