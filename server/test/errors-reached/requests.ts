// Requests that are refused on any route.
import { limits } from '@foyer/contract';
import { type Answer, busyPasswordHasher } from '../harness.js';
import { rawAnswer, rawConnection } from '../raw-http.js';
import type { Context, ReachedOf } from './context.js';

export function requestErrors(context: Context): ReachedOf<'request'> {
  const { service, user, asUser, asBackend, send, on } = context;
  const credentials = { body: { email: user.email, password: user.password } };
  const verify = () => Promise.reject(new Error('broken'));
  const broken = { passwordHasher: { ...service.deps.passwordHasher, verify } };
  const created = (key: string, body: object) => ({
    ...asBackend,
    headers: { 'idempotency-key': key },
    body,
  });

  return {
    'request/invalid-app-key': on('profile.get', { ...asUser, appKey: 'pk_unknown' }),
    'request/origin-not-allowed': on('profile.get', async () => {
      const { id, appKey } = (await service.newApp()).app;
      const data = { allowedOrigins: ['https://app.example'] };
      await service.database.prisma.app.update({ where: { id }, data });
      return { appKey, headers: { origin: 'https://evil.example' } };
    }),
    'request/malformed-json': on('signIn.withPassword', { body: '{"email":' }),
    'request/malformed-http': { ask: () => rawAnswer(service.listening.port, 'nonsense\r\n\r\n') },
    'request/timeout': {
      async ask() {
        const { server, port } = service.listening;
        const { headersTimeout } = server;
        server.headersTimeout = 100;
        const connection = await rawConnection(port);
        connection.send('GET /api/v2/me HTTP/1.1\r\n');
        const answer = await connection.answer();
        server.headersTimeout = headersTimeout;
        return answer;
      },
    },
    'request/validation-failed': on('signIn.withPassword', { body: {} }),
    'request/unsupported-media-type': on('signIn.withPassword', {
      body: '{}',
      headers: { 'content-type': 'text/plain' },
    }),
    'request/too-large': on('signIn.withPassword', { body: { filling: 'x'.repeat(110_000) } }),
    'request/not-found': { ask: () => service.call('GET', '/nothing') },
    'request/method-not-allowed': { ask: () => service.call('PUT', '/me') },
    'request/rate-limited': {
      route: 'remoteConfig.get',
      async ask() {
        const { app } = await service.newApp();
        const data = { rateLimitFactors: { client: 1 / limits.rateLimits.client.limit } };
        await service.database.prisma.app.update({ where: { id: app.id }, data });
        const limited = await service.secondInstance({ rateLimits: true });
        const ask = () => send('remoteConfig.get', { appKey: app.appKey }, limited);
        const answers = [await ask(), await ask()];
        await limited.stop();
        return answers[1] as Answer;
      },
    },
    'request/idempotency-key-reused': on('users.create', async () => {
      await send('users.create', created('reused', { email: 'reused@example.com' }));
      return created('reused', { email: 'another@example.com' });
    }),
    'request/idempotency-key-in-progress': {
      route: 'users.create',
      async ask() {
        let letGo = (_hash: string) => {};
        const hash = new Promise<string>((resolve) => {
          letGo = resolve;
        });
        const passwordHasher = { ...service.deps.passwordHasher, hash: () => hash };
        const slow = await service.secondInstance({ overrides: { passwordHasher } });
        const sent = created('in progress', { email: 'slow@example.com', password: 'long enough' });
        // Either may come first and hold the key until the hash is computed.
        const both = [send('users.create', sent, slow), send('users.create', sent, slow)];
        const refused = await Promise.race(both);
        letGo('a hash');
        await Promise.all(both);
        await slow.stop();
        return refused;
      },
    },
    'request/internal-error': on('signIn.withPassword', credentials, { instance: { overrides: broken } }),
    'request/unavailable': {
      route: 'signIn.withPassword',
      async ask() {
        const passwordHasher = await busyPasswordHasher();
        return on('signIn.withPassword', credentials, { instance: { overrides: { passwordHasher } } }).ask();
      },
    },
    'request/precondition-required': on('configVersions.replace', {
      ...asBackend,
      body: { parameters: {} },
    }),
  };
}
