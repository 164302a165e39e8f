// The load of the benchmark of contention: each call is repeated as soon as it is answered, on a connection of its own.
import { connect } from 'node:net';

export type LoadedCall = {
  method: string;
  path: string;
  app_key: string;
  authorization: string;
  ip: string;
  type: string;
  body: string;
};

/** The number of answers by status. */
export type LoadReport = Record<string, number>;

type Start = { port: number; calls: LoadedCall[] };

/** A refused call is repeated after this long, as by a client that is impatient. */
const refusedMilliseconds = 200;

const report: LoadReport = {};
let isOver = false;

process.on('message', (message: Start | 'stop') => {
  if (message !== 'stop') {
    for (const call of message.calls) repeat(message.port, call);
    process.send?.('started');
    return;
  }
  isOver = true;
  process.send?.(report, () => process.exit());
});

function repeat(port: number, call: LoadedCall): void {
  const request = requestOf(call);
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let received = '';
  socket.setEncoding('latin1');
  socket.once('connect', () => socket.write(request));
  socket.on('data', (chunk: string) => {
    received += chunk;
    const headEnd = received.indexOf('\r\n\r\n');
    const length = /content-length: (\d+)/i.exec(received.slice(0, Math.max(headEnd, 0)))?.[1];
    if (headEnd < 0 || (length !== undefined && received.length < headEnd + 4 + Number(length))) return;
    const status = received.slice(9, 12);
    received = '';
    report[status] = (report[status] ?? 0) + 1;
    if (status < '400') socket.write(request);
    else setTimeout(() => socket.writable && socket.write(request), refusedMilliseconds);
  });
  socket.on('error', () => {});
  // A body that is refused unread ends its connection.
  socket.once('close', () => {
    if (!isOver) setTimeout(() => repeat(port, call), refusedMilliseconds);
  });
}

function requestOf({ method, path, app_key, authorization, ip, type, body }: LoadedCall): Buffer {
  const lines = [
    `${method} /api/v2${path} HTTP/1.1`,
    'Host: accounts.example.com',
    `X-App-Key: ${app_key}`,
    `X-Forwarded-For: ${ip}`,
    `Authorization: Bearer ${authorization}`,
    `Content-Type: ${type}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
