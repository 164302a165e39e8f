// Hostile ways to send a request: in pieces, in part, with others behind it, or as bytes that are no request.
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Input } from '../../test/bad-input.js';
import type { Chance } from '../../test/bad-values.js';

/** The statuses of the answers, and whether the connection was closed by the service. */
export type Conversation = { statuses: number[]; text: string };

const waitMilliseconds = 300;

/** Sends the input in a way chosen by the seed; the answers that came before the connection ended. */
export async function hostileConversation(
  chance: Chance,
  port: number,
  input: Omit<Input, 'known'>,
): Promise<Conversation> {
  const bytes = bytesOf(input);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const patience = () => Promise.race([closed, pause(waitMilliseconds)]);
  await waysOf(bytes)[chance.number(9)]?.(chance, socket);
  await patience();
  socket.destroy();
  const text = Buffer.concat(chunks).toString('latin1');
  return { statuses: [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status)), text };
}

type Way = (chance: Chance, socket: Socket) => Promise<void>;

function waysOf(bytes: Buffer): Way[] {
  const headEnd = bytes.indexOf('\r\n\r\n') + 4;
  return [
    // Slow headers, then nothing more.
    async (chance, socket) => trickle(socket, bytes.subarray(0, chance.number(headEnd)), chance),
    // A slow body.
    async (chance, socket) => {
      socket.write(bytes.subarray(0, headEnd));
      await trickle(socket, bytes.subarray(headEnd, headEnd + 200), chance);
    },
    // Half open: the client has nothing more to send, in the middle of the body.
    async (chance, socket) => void socket.end(bytes.subarray(0, chance.number(bytes.length))),
    // Half open after the whole request: it is still answered.
    async (_chance, socket) => void socket.end(bytes),
    // Pipelined, with garbage behind the last.
    async (chance, socket) => {
      for (let more = chance.number(12); more >= 0; more -= 1) socket.write(bytes);
      if (chance.oneIn(2)) socket.write('\0garbage\r\n\r\n');
    },
    // Reset while the service works.
    async (_chance, socket) => {
      socket.write(bytes);
      await pause(1);
      socket.resetAndDestroy();
    },
    // Damaged bytes.
    async (chance, socket) => {
      const damaged = Buffer.from(bytes);
      for (let n = chance.number(6); n >= 0; n -= 1)
        damaged[chance.number(damaged.length)] = chance.number(256);
      socket.write(damaged);
    },
    // A compression bomb: 30 MB in 30 kB.
    async (_chance, socket) => {
      const bomb = gzipSync(Buffer.alloc(30_000_000, '['));
      const head = bytes
        .subarray(0, headEnd - 2)
        .toString('latin1')
        .replace(/^content-length.*\r\n/im, '');
      socket.write(`${head}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`, 'latin1');
      socket.write(bomb);
    },
    // A JSON bomb in chunks of one byte.
    async (_chance, socket) => {
      const head = bytes
        .subarray(0, headEnd - 2)
        .toString('latin1')
        .replace(/^content-length.*\r\n/im, '');
      socket.write(
        `${head}Transfer-Encoding: chunked\r\n\r\n${'1\r\n[\r\n'.repeat(5_000)}0\r\n\r\n`,
        'latin1',
      );
    },
  ];
}

async function trickle(socket: Socket, bytes: Buffer, chance: Chance): Promise<void> {
  for (let at = 0; at < bytes.length && !socket.destroyed; ) {
    const size = 1 + chance.number(40);
    socket.write(bytes.subarray(at, at + size));
    at += size;
    await pause(1);
  }
}

function bytesOf({ method, path, headers, body }: Omit<Input, 'known'>): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: accounts.test',
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  if (body) lines.push(`Content-Length: ${body.length}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)]);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
