// A webhook receiver on this machine under the test's control, and the calls of an app's backend about webhooks.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Webhook, type WebhookDelivery, WebhookPayload } from '@foyer/contract';
import { expect } from 'vitest';
import { type SsrfSafeFetch, ssrfSafeFetch } from '../engines/safe-fetch/ssrf-safe-fetch.js';
import { timestamp } from '../src/lib/timestamp.js';
import { blankEventUser } from '../src/model/user.js';
import { freePort } from './free-port.js';
import type { Answer, CallOptions, TestService, TestUser } from './harness.js';
import { judge } from './judged-answers.js';
import { localServer } from './local-server.js';

export type Received = {
  headers: Record<string, string>;
  body: string;
  payload: WebhookPayload;
};

type Behaviour = number | ((req: IncomingMessage, res: ServerResponse) => void);

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** By default on a port that the system assigns to no other socket, so that another receiver can replace it. */
export async function startReceiver(port?: number) {
  let behaviour: Behaviour = 204;
  const received: Received[] = [];
  const { origin, stop } = await localServer(
    async (req, res) => {
      const body = await text(req).catch(() => null);
      // The sender gave up.
      if (body === null) return;
      const payload = JSON.parse(body);
      judge(`the webhook ${payload.type}`, WebhookPayload, payload);
      received.push({ headers: req.headers as Record<string, string>, body, payload });
      if (typeof behaviour === 'number') res.writeHead(behaviour).end();
      else behaviour(req, res);
    },
    port ?? (await freePort()),
  );
  return {
    url: `${origin}/hooks`,
    /** Complete requests, in order of arrival. */
    received,
    /** The answer from now on: a status or a function; 204 by default. */
    answer(next: Behaviour) {
      behaviour = next;
    },
    stop,
  };
}

/** Reaches receivers on this machine, and waits longer than a busy machine delays them. */
export function patientFetch(): SsrfSafeFetch {
  const real = ssrfSafeFetch({ loopback: true });
  return { ...real, send: (url, request) => real.send(url, { ...request, timeoutMilliseconds: 120_000 }) };
}

/** The users of the received events. */
export function uidsAt({ received }: Pick<Receiver, 'received'>): string[] {
  return received.map(({ payload }) => (payload.data as { user: { uid: string } }).user.uid);
}

type EventUser = Extract<WebhookPayload, { type: 'user.updated' }>['data']['user'];

export type WebhookWithSecret = Webhook & { secret: string };

/** The calls, with the secret key of the service's app. */
export function webhookScenario(service: () => TestService) {
  const call = <Data>(method: string, path: string, options: CallOptions = {}): Promise<Answer<Data>> =>
    service().call<Data>(method, `/admin${path}`, { token: service().app.secretKey, ...options });
  const deliveries = async (id: string, query = '') =>
    (await call<{ items: WebhookDelivery[] }>('GET', `/webhooks/${id}/deliveries?limit=100${query}`)).data
      .items;
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
    async update(id: string, body: object): Promise<Webhook> {
      const answer = await call<Webhook>('PATCH', `/webhooks/${id}`, { body });
      expect([answer.status, answer.code]).toEqual([200, undefined]);
      return answer.data;
    },
    async rotateSecret(id: string): Promise<WebhookWithSecret> {
      return (await call<WebhookWithSecret>('POST', `/webhooks/${id}/rotate-secret`)).data;
    },
    test: (id: string, options: CallOptions = {}) =>
      call<WebhookDelivery>('POST', `/webhooks/${id}/test`, options),
    /** Newest first. */
    deliveries,
    async newest(id: string): Promise<WebhookDelivery> {
      return (await deliveries(id))[0] as WebhookDelivery;
    },
    /** Creates a user, and sends what is due. */
    async signUp(): Promise<TestUser> {
      const user = await service().signUp();
      await service().advance(0);
      return user;
    },
    /** Inserts events of one millisecond; returns their names, oldest first. */
    async insertEvents(
      count: number,
      { appId = service().app.app.id, pending = true } = {},
    ): Promise<string[]> {
      const { clock, deps, database } = service();
      const now = clock.now();
      const ids = Array.from({ length: count }, () => deps.random.ulid(now)).sort();
      const uid = deps.random.ulid(now);
      const data = JSON.stringify({ user: eventUser(uid, timestamp(now)) });
      await database.prisma
        .$executeRaw`INSERT INTO events (app_id, id, type, user_id, data, pending, created_at)
        SELECT ${appId}, id, 'user.updated', ${uid}, ${data}::jsonb, ${pending}, ${now}::timestamptz
        FROM unnest(${ids}::text[]) AS id`;
      return ids.map((id) => `evt_${id}`);
    },
    async removeAll(): Promise<void> {
      const { data } = await call<{ items: Webhook[] }>('GET', '/webhooks');
      for (const { id } of data.items) await call('DELETE', `/webhooks/${id}`);
    },
  };
}

/** A user of events who never existed, without personal data. */
function eventUser(uid: string, created_at: string): EventUser {
  return { uid, ...blankEventUser, created_at } as EventUser;
}
