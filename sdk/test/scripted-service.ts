// The fake service of `/testing` behind a real HTTP server, with scripted network failures.
// Its clock is `Date.now`, so that fake timers move client and service together, unless a test gives it another.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, errorAnswer, type Refusal } from '../src/testing/fake-answer.js';
import { fakeApi } from '../src/testing/fake-api.js';
import type { CodePurpose } from '../src/testing/fake-users.js';
import { extraEndpoints } from './extra-endpoints.js';
import { type Exchange, gate, heldUntil, type Mishap, sendAnswer } from './mishaps.js';

export const refreshRoute = 'POST /api/v2/auth/token/refresh';
export const meRoute = 'GET /api/v2/me';
export const configRoute = 'GET /api/v2/config';
export const fromV1Route = 'POST /api/v2/auth/token/from-v1';
export const signOutRoute = 'POST /api/v2/auth/sign-out';

export interface SeenRequest {
  route: string;
  authorization: string | undefined;
  headers: IncomingMessage['headers'];
  body: Buffer;
  /** Time of the request on the manual clock. */
  atMs: number;
}

/** The code in every email; it is valid without having been requested. */
export const emailedCode = '123456';

/** What the code of a route is for. */
const purposes: Record<string, CodePurpose> = {
  '/auth/email-code/verify': 'sign_in',
  '/auth/reauthenticate': 'sign_in',
  '/auth/password/reset': 'password_reset',
  '/auth/email/verification/confirm': 'verification',
};

export type ScriptedService = Awaited<ReturnType<typeof startScriptedService>>;

export async function startScriptedService() {
  const requests: SeenRequest[] = [];
  const mishaps = new Map<string, Mishap[]>();
  const watchers = new Set<() => void>();
  const extra = extraEndpoints((collection) => api.records.collections.get(collection)!.records.values());
  const api = fakeApi({
    baseUrl: 'https://foyer.test/api/v2',
    appKey: 'app_test',
    nextCode: () => emailedCode,
    now: () => service.now(),
    providers: { contoso: { name: 'Contoso' } },
    more: extra.handlers,
  });
  api.records.define('notes', 'shared');

  const service = {
    baseUrl: '',
    origin: '',
    requests,
    api,
    ...api.sessions,
    now: () => Date.now(),
    get reuses() {
      return api.sessions.reuses;
    },
    get accessTokenSeconds() {
      return api.sessions.accessTokenSeconds;
    },
    set accessTokenSeconds(seconds: number) {
      api.sessions.accessTokenSeconds = seconds;
    },
    devices: extra.devices,
    files: extra.files,
    config: api.config,
    addV1Token(token: string, email: string) {
      const { user } = api.users.byEmail(email) ?? api.users.add({ email });
      api.users.v1Tokens.set(token, user.uid);
    },
    /** No session has a recent sign-in. */
    forgetSignInTimes() {
      for (const session of api.sessions.sessions) session.signedInAtMs = 0;
    },
    next,
    /** Holds the response to the next request of the route until the returned function is called. */
    hold(route: string): () => void {
      const { opened, open } = gate();
      next(route, heldUntil(opened));
      return open;
    },
    /** Starts a call whose request of the route is processed; its response is held until `open` is called. */
    async holding<T>(route: string, begin: () => Promise<T>) {
      const open = service.hold(route);
      const call = begin();
      await seen(route);
      return { call, open };
    },
    always: new Map<string, Mishap>(),
    sent,
    count: (route: string) => sent(route).length,
    sentRefreshTokens: (): string[] =>
      sent(refreshRoute).map(({ body }) => JSON.parse(body.toString()).refresh_token),
    seen,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  function sent(route: string): SeenRequest[] {
    return requests.filter((request) => request.route === route);
  }

  function next(route: string, ...planned: Mishap[]): void {
    mishaps.set(route, [...(mishaps.get(route) ?? []), ...planned]);
  }

  /** Resolves when the service has received `count` requests of the route in all. */
  function seen(route: string, count = 1): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (service.count(route) < count) return;
        watchers.delete(check);
        resolve();
      };
      watchers.add(check);
      check();
    });
  }

  const server = createServer(async (request, response) => {
    const seenRequest = await received(request);
    requests.push(seenRequest);
    const exchange: Exchange = {
      work: () => work(seenRequest),
      send: (answer) => sendAnswer(response, answer),
      cut: () => request.socket.destroy(),
    };
    const mishap = mishaps.get(seenRequest.route)?.shift() ?? service.always.get(seenRequest.route);
    for (const watcher of [...watchers]) watcher();
    if (mishap) await mishap(exchange);
    else exchange.send(exchange.work());
  });

  function work(seenRequest: SeenRequest): Answer {
    const { route, authorization, headers } = seenRequest;
    const [method, url] = route.split(' ') as [string, string];
    if (url.startsWith('/backend')) return backend(authorization, seenRequest.body);
    const [path = '', search = ''] = url.replace('/api/v2', '').split('?');
    const body = seenRequest.body.toString();
    mailCode(path, body);
    const header = (name: string) => headers[name] as string | undefined;
    const request = { method, path, search, header, body };
    const { headers: sent = {}, ...answer } = api.answer(request);
    // Without a device token, so that a sign-out leaves the storage empty.
    const { 'X-Device-Token': _, ...others } = sent;
    return { ...answer, headers: others };
  }

  /** An app's own backend, which verifies access tokens and returns what it received. */
  function backend(authorization: string | undefined, body: Buffer): Answer {
    try {
      api.sessions.live(authorization);
      return { status: 200, body: body.toString('latin1') };
    } catch (error) {
      return errorAnswer(error as Refusal);
    }
  }

  function mailCode(path: string, body: string | undefined): void {
    const purpose = purposes[path];
    const { code, email } = purpose && body ? JSON.parse(body) : {};
    if (!purpose || code !== emailedCode) return;
    for (const { user } of api.users.all()) {
      api.users.mail(purpose, purpose === 'verification' ? user.uid : user.email, user.email);
    }
    if (email) api.users.mail(purpose, email, email);
  }

  // Prevents closing an idle connection on a busy machine just as it is reused.
  server.keepAliveTimeout = 300_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  service.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service.baseUrl = `${service.origin}/api/v2`;
  return service;
}

async function received(request: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { headers } = request;
  return {
    route: `${request.method} ${request.url}`,
    authorization: headers.authorization,
    headers,
    body: Buffer.concat(chunks),
    atMs: Date.now(),
  };
}
