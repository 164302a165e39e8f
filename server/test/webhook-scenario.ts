// A webhook receiver on this machine under the test's control, and the calls of an app's backend about webhooks.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Webhook, WebhookDelivery, WebhookPayload } from '@foyer/contract';
import { freePort } from './free-port.js';
import type { Answer, CallOptions, TestService } from './harness.js';

export type Received = {
  headers: Record<string, string>;
  body: string;
  payload: WebhookPayload;
};

type Behaviour = number | ((req: IncomingMessage, res: ServerResponse) => void);

export type Receiver = {
  url: string;
  /** Complete requests, in order of arrival. */
  received: Received[];
  /** The answer from now on: a status or a function; 204 by default. */
  answer(behaviour: Behaviour): void;
  close(): Promise<void>;
};

/** By default on a port that the system assigns to no other socket, so that another receiver can replace it. */
export async function startReceiver(port?: number): Promise<Receiver> {
  let behaviour: Behaviour = 204;
  const received: Received[] = [];
  const server = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8').on('data', (part) => {
      body += part;
    });
    req.on('end', () => {
      received.push({ headers: req.headers as Record<string, string>, body, payload: JSON.parse(body) });
      if (typeof behaviour === 'number') res.writeHead(behaviour).end();
      else behaviour(req, res);
    });
  });
  // It never closes a connection by itself: a request may be in flight on it.
  server.keepAliveTimeout = 0;
  const listened = port ?? (await freePort());
  await new Promise<void>((resolve) => server.listen(listened, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${listened}/hooks`,
    received,
    answer(next) {
      behaviour = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type WebhookWithSecret = Webhook & { secret: string };

/** The calls, with the secret key of the service's app. */
export function webhookScenario(service: () => TestService) {
  const call = <Data>(method: string, path: string, options: CallOptions = {}): Promise<Answer<Data>> =>
    service().call<Data>(method, `/admin${path}`, { token: service().app.secretKey, ...options });
  return {
    call,
    async create(body: { url: string; types?: string[]; description?: string }): Promise<WebhookWithSecret> {
      const answer = await call<WebhookWithSecret>('POST', '/webhooks', { body });
      if (answer.status !== 201) throw new Error(`it answered ${answer.status}: ${answer.text}`);
      return answer.data;
    },
    async get(id: string): Promise<Webhook> {
      return (await call<Webhook>('GET', `/webhooks/${id}`)).data;
    },
    /** Newest first. */
    async deliveries(id: string, query = ''): Promise<WebhookDelivery[]> {
      const path = `/webhooks/${id}/deliveries?limit=100${query}`;
      return (await call<{ items: WebhookDelivery[] }>('GET', path)).data.items;
    },
    async removeAll(): Promise<void> {
      const { data } = await call<{ items: Webhook[] }>('GET', '/webhooks');
      for (const { id } of data.items) await call('DELETE', `/webhooks/${id}`);
    },
  };
}
