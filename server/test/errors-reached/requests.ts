// Requests that are refused on any route.
import { type Answer, busyPasswordHasher, testService } from '../harness.js';
import { rawAnswer, rawConnection } from '../raw-http.js';
import type { Context, ReachedOf } from './context.js';

export function requestErrors({ service, user, token, adminCall, putConfig }: Context): ReachedOf<'request'> {
  const signIn = (body: unknown) => service.call('POST', '/auth/sign-in', { body });

  return {
    'request/invalid-app-key': {
      route: 'profile.get',
      ask: () => service.call('GET', '/me', { appKey: 'pk_unknown', token: token() }),
    },
    'request/origin-not-allowed': {
      route: 'profile.get',
      async ask() {
        const { app } = await service.newApp();
        const data = { allowedOrigins: ['https://app.example'] };
        await service.database.prisma.app.update({ where: { id: app.id }, data });
        return service.call('GET', '/me', {
          appKey: app.appKey,
          headers: { origin: 'https://evil.example' },
        });
      },
    },
    'request/malformed-json': { route: 'signIn.withPassword', ask: () => signIn('{"email":') },
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
    'request/validation-failed': { route: 'signIn.withPassword', ask: () => signIn({}) },
    'request/unsupported-media-type': {
      route: 'signIn.withPassword',
      ask: () =>
        service.call('POST', '/auth/sign-in', { body: '{}', headers: { 'content-type': 'text/plain' } }),
    },
    'request/too-large': {
      route: 'signIn.withPassword',
      ask: () => signIn({ filling: 'x'.repeat(110_000) }),
    },
    'request/not-found': { ask: () => service.call('GET', '/nothing') },
    'request/method-not-allowed': { ask: () => service.call('PUT', '/me') },
    'request/rate-limited': {
      route: 'profile.get',
      async ask() {
        const limited = await service.secondInstance({ rateLimits: true });
        const calls = Array.from({ length: 301 }, () => limited.call('GET', '/me', { token: token() }));
        const answers = await Promise.all(calls);
        await limited.stop();
        return answers.find(({ status }) => status !== 200) as Answer;
      },
    },
    'request/idempotency-key-reused': {
      route: 'users.create',
      async ask() {
        const headers = { 'idempotency-key': 'reused' };
        await adminCall('POST', '/admin/users', { headers, body: { email: 'reused@example.com' } });
        return adminCall('POST', '/admin/users', { headers, body: { email: 'another@example.com' } });
      },
    },
    'request/idempotency-key-in-progress': {
      route: 'users.create',
      async ask() {
        let letGo = (_hash: string) => {};
        const hash = new Promise<string>((resolve) => {
          letGo = resolve;
        });
        const passwordHasher = { ...service.deps.passwordHasher, hash: () => hash };
        const slow = await service.secondInstance({ overrides: { passwordHasher } });
        const options = {
          token: service.app.secretKey,
          headers: { 'idempotency-key': 'in progress' },
          body: { email: 'slow@example.com', password: 'long enough' },
        };
        // Either may come first and hold the key until the hash is computed.
        const both = [slow.call('POST', '/admin/users', options), slow.call('POST', '/admin/users', options)];
        const refused = await Promise.race(both);
        letGo('a hash');
        await Promise.all(both);
        await slow.stop();
        return refused;
      },
    },
    'request/internal-error': {
      route: 'profile.get',
      async ask() {
        const broken = await testService({ overrides: { passwordHasher: service.deps.passwordHasher } });
        const { tokens } = await broken.signUp();
        await broken.database.prisma.$executeRaw`ALTER TABLE sessions RENAME COLUMN amr TO other`;
        const answer = await broken.call('GET', '/me', { token: tokens.access_token });
        await broken.stop();
        return answer;
      },
    },
    'request/unavailable': {
      route: 'signIn.withPassword',
      async ask() {
        const passwordHasher = await busyPasswordHasher();
        const busy = await service.secondInstance({ overrides: { passwordHasher } });
        const answer = await busy.signIn(user);
        await busy.stop();
        return answer;
      },
    },
    'request/precondition-required': { route: 'configVersions.replace', ask: () => putConfig({}, {}) },
  };
}
