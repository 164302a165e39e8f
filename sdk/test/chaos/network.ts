// The network between the clients and the service: it delays and loses responses, goes away, and keeps what it saw.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange } from './exchanges.js';
import type { Random } from './random.js';

export type Network = Awaited<ReturnType<typeof startNetwork>>;

const api = '/api/v2';
const lossRate = 0.1;
const delayRate = 0.1;
const maxDelayMs = 1_500;
/** A proxy answers in place of the service, and asks for an hour of silence. */
const proxyRate = 0.03;
const proxyAnswers = [
  {
    status: 503,
    headers: { 'Content-Type': 'text/html', 'Retry-After': '3600' },
    body: '<h1>Maintenance</h1>',
  },
  {
    status: 429,
    headers: { 'Content-Type': 'text/html', 'Retry-After': '3600' },
    body: '<h1>Slow down</h1>',
  },
  { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<h1>Welcome to our Wi-Fi</h1>' },
  { status: 204, headers: {}, body: '' },
];

/** `page` is the source of the page at a path. */
export async function startNetwork(random: Random, page: (path: string) => string) {
  const exchanges: Exchange[] = [];
  const network = {
    exchanges,
    origin: '',
    /** The port of the service. */
    port: 0,
    isFaulty: false,
    /** The time until which nothing gets through. */
    awayUntilMs: 0,
    lost: 0,
    /** Responses of the proxy. */
    lies: 0,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  const isAway = () => Date.now() < network.awayUntilMs;

  async function relay(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await buffer(req);
    const { headers, method, url = '' } = req;
    const exchange: Exchange = {
      client: String(headers['x-client']),
      route: `${method} ${url.slice(api.length).split('?')[0]}`,
      authorization: headers.authorization,
      startMs: Date.now(),
      endMs: Number.POSITIVE_INFINITY,
      isDelivered: false,
    };
    exchanges.push(exchange);
    if (exchange.route === 'POST /auth/token/refresh')
      exchange.sent = JSON.parse(body.toString()).refresh_token;
    // The clients in this process lose responses by themselves.
    const isPage = !exchange.client.startsWith('idle');
    const isLost = network.isFaulty && isPage && random.passes(lossRate);
    const delayMs = network.isFaulty && random.passes(delayRate) ? random.between(0, maxDelayMs) : 0;
    res.once('close', () => {
      exchange.endMs = Math.min(exchange.endMs, Date.now());
      exchange.isDelivered = res.writableFinished;
    });
    const lose = () => {
      // The time is taken here, because the event may come after the client's next request.
      exchange.endMs = Date.now();
      req.socket.destroy();
    };
    if (isAway()) return lose();
    if (network.isFaulty && random.passes(proxyRate)) {
      network.lies += 1;
      const { status, headers: ofProxy, body: text } = random.one(proxyAnswers);
      return void res.writeHead(status, ofProxy).end(text);
    }
    await sleep(delayMs / 2);
    const answer = await forwarded(req, body, network.port).catch(() => null);
    if (answer) {
      exchange.status = answer.status;
      exchange.issued = tokensIn(answer.body);
    }
    await sleep(delayMs / 2);
    if (!answer || isLost || isAway()) {
      if (answer) network.lost += 1;
      return lose();
    }
    res.writeHead(answer.status, answer.headers).end(answer.body);
  }

  const server = createServer((req, res) => {
    if (req.url?.startsWith(api)) return void relay(req, res).catch(() => req.socket.destroy());
    res.setHeader('Content-Type', 'text/html').end(page(req.url ?? ''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  network.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return network;
}

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

function forwarded({ method, url, headers }: IncomingMessage, body: Buffer, port: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const given = { ...headers, connection: 'close' };
    const outgoing = request({ host: '127.0.0.1', port, method, path: url, headers: given }, (incoming) => {
      const { connection, 'transfer-encoding': _, ...rest } = incoming.headers;
      buffer(incoming).then(
        (received) => resolve({ status: incoming.statusCode!, headers: rest, body: received }),
        reject,
      );
    });
    outgoing.on('error', reject).end(body);
  });
}

function tokensIn(body: Buffer): Exchange['issued'] {
  try {
    const { access_token, refresh_token } = JSON.parse(body.toString()).data;
    const claims = JSON.parse(Buffer.from(access_token.split('.')[1], 'base64url').toString());
    return { session: claims.sid, refreshToken: refresh_token };
  } catch {
    return undefined;
  }
}
