// The load generator: keep-alive connections that each follow a sequence of requests, one after the other's answer.
// Written on sockets, because it shares the machine with the measured service and must cost little.
import { connect, type Socket } from 'node:net';
import { percentile } from './figures.js';

/** The requests of one connection. A request may depend on the previous answer, as a refresh does. */
export type Conversation = {
  /** The expected status; 200 if none is given. */
  status?: number | undefined;
  next(): string;
  answered?(body: string): void;
};

export type Load = {
  port: number;
  conversations: Conversation[];
  seconds: number;
  /** Requests that each connection makes even after the time is over. */
  atLeast?: number;
};

export type Measured = { perSecond: number; p50: number; p99: number; answers: number };

/** The warm-up, not counted: connections open and code is compiled. */
const unmeasuredShare = 0.15;

export async function measure(load: Load): Promise<Measured> {
  const startedAt = performance.now();
  const countFrom = startedAt + load.seconds * 1_000 * unmeasuredShare;
  const endAt = startedAt + load.seconds * 1_000;
  const milliseconds: number[] = [];
  let answers = 0;
  const count = (sentAt: number, now: number) => {
    answers += 1;
    // A call counts when it ends: slow calls span both ends of the measurement, and only one end may count.
    if (now >= countFrom && now <= endAt) milliseconds.push(now - sentAt);
  };
  await Promise.all(load.conversations.map((conversation) => talk(load, conversation, endAt, count)));
  if (milliseconds.length === 0 && !load.atLeast)
    throw new Error('nothing was answered in the time of the measurement');
  const perSecond = milliseconds.length / ((endAt - countFrom) / 1_000);
  return { perSecond, p50: percentile(milliseconds, 50), p99: percentile(milliseconds, 99), answers };
}

function talk(
  load: Load,
  conversation: Conversation,
  endAt: number,
  count: (sentAt: number, now: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: load.port, host: '127.0.0.1', noDelay: true });
    let sentAt = 0;
    let received = '';
    let made = 0;
    const send = () => {
      made += 1;
      sentAt = performance.now();
      socket.write(conversation.next());
    };
    socket.setEncoding('latin1');
    socket.once('connect', send);
    socket.on('data', (chunk: string) => {
      received += chunk;
      const answer = parseAnswer(received);
      if (!answer) return;
      received = '';
      const now = performance.now();
      // A figure never counts refusals.
      if (answer.status !== (conversation.status ?? 200)) return fail(socket, answer, reject);
      count(sentAt, now);
      conversation.answered?.(answer.body);
      if (now < endAt || made < (load.atLeast ?? 0)) send();
      else socket.end();
    });
    socket.once('error', reject);
    socket.once('close', () => resolve());
  });
}

/** Undefined until the answer is complete. */
function parseAnswer(text: string): { status: number; body: string } | undefined {
  const bodyAt = text.indexOf('\r\n\r\n') + 4;
  if (bodyAt === 3) return undefined;
  const status = Number(text.slice(9, 12));
  if (status === 304 || status === 204) return { status, body: '' };
  const lengthAt = text.indexOf('Content-Length: ');
  if (lengthAt < 0 || lengthAt > bodyAt) return parseChunked(text, status, bodyAt);
  const bodyBytes = Number.parseInt(text.slice(lengthAt + 16, lengthAt + 26), 10);
  if (text.length < bodyAt + bodyBytes) return undefined;
  return { status, body: text.slice(bodyAt) };
}

/** Parses a chunked response, which better-auth sends. */
function parseChunked(
  text: string,
  status: number,
  bodyAt: number,
): { status: number; body: string } | undefined {
  if (!/^transfer-encoding: chunked\r$/im.test(text.slice(0, bodyAt))) {
    throw new Error(`an answer without Content-Length:\n${text}`);
  }
  let body = '';
  for (let at = bodyAt; ; ) {
    const lineEnd = text.indexOf('\r\n', at);
    const bytes = Number.parseInt(text.slice(at, lineEnd), 16);
    const end = lineEnd + 2 + bytes + 2;
    if (lineEnd < 0 || text.length < end) return undefined;
    if (bytes === 0) return { status, body };
    body += text.slice(lineEnd + 2, end - 2);
    at = end;
  }
}

function fail(socket: Socket, answer: { status: number; body: string }, reject: (error: Error) => void) {
  socket.destroy();
  reject(new Error(`an answer under load had the status ${answer.status}: ${answer.body}`));
}
