// An app's backend with sessions in cookies, in Express and in front of the real service, and the browsers that use it.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { beforeAll, onTestFinished, vi } from 'vitest';
import { type TestService, testService } from '../../server/test/harness.js';
import { shared } from '../../server/test/shared.js';
import type { SdkEvent } from '../src/events.js';
import { createCookieSessions, createServerClient, nodeHandlers } from '../src/server/index.js';
import { cookieBrowser } from './cookie-browser.js';

export const password = 'correct horse battery staple';
export const hourMs = 3_600_000;

export let service: TestService;
export let connection: { baseUrl: string; appKey: string };

/** Starts the service for all tests of a file. */
export function useService(): void {
  service = shared(() => testService({ config: { trustProxy: 1 } }));
  beforeAll(() => {
    connection = { baseUrl: `${service.url}/api/v2`, appKey: service.app.app.appKey };
  });
}

/** An app's backend: the sessions at /api/auth, and a page that shows its user. */
export async function startApp() {
  const events: SdkEvent[] = [];
  /** Set to fail the requests to the service. */
  const outage: { answer?: typeof fetch } = {};
  const sender: typeof fetch = (input, init) => (outage.answer ?? fetch)(input, init);
  const app = express();
  app.set('trust proxy', 1);
  const server: Server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const newSessions = () =>
    createCookieSessions({ ...connection, origin, fetch: sender, onEvent: (event) => events.push(event) });
  const running = { sessions: newSessions() };
  const handlers = () => nodeHandlers(running.sessions);
  app.use('/api/auth', (request, response, next) => handlers().handle(request, response, next));
  app.get('/', (request, response, next) => handlers().renew(request, response, next));
  app.get('/', async (request, response) => {
    const session = running.sessions.read(request.headers);
    if (!session) return void response.send('signed out');
    const { me } = createServerClient({ ...connection, accessToken: session.accessToken });
    const shown = await me.get().then(
      (user) => user.email,
      (error) => error.code,
    );
    response.send(shown);
  });
  const refreshes = () =>
    events.filter((event) => event.type === 'request' && event.path === '/auth/token/refresh').length;
  const restart = () => {
    running.sessions = newSessions();
  };
  return { origin, outage, refreshes, restart, browser: cookieBrowser(origin, connection) };
}

/** Lets time pass for the service, and for the backend and its browsers. */
export function passTime(milliseconds: number): void {
  if (!vi.isFakeTimers()) {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
  }
  vi.setSystemTime(Date.now() + milliseconds);
  service.clock.advance(milliseconds);
}

export async function signedUp() {
  const app = await startApp();
  const page = app.browser.page();
  const email = `${randomUUID()}@example.com`;
  const { user } = await page.auth.signUp({ email, password });
  return { ...app, page, email, uid: user.uid };
}

/** How many sessions of the user the service has. */
export const sessionCount = (uid: string) =>
  service.database.prisma.session.count({ where: { uid, endedAt: null } });
