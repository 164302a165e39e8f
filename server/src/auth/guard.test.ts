// The guard without a module: the credential that each kind of endpoint accepts.
import { type EndpointAuth, type EndpointMetadata, errorsOf } from '@foyer/contract';
import type { AppRoute } from '@ts-rest/core';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cheapPasswordHasher, type TestService, type TestUser, testService } from '../../test/harness.js';
import { errorHandler } from '../http/error-handler.js';
import { type Listening, listen } from '../http/listen.js';
import { requestLog } from '../http/request-log.js';
import { guard } from './guard.js';
import { sessionUser } from './token-user.js';

let service: TestService;
let user: TestUser;
let limited: TestService;
let listening: Listening;
beforeAll(async () => {
  service = await testService({ overrides: { passwordHasher: await cheapPasswordHasher() } });
  limited = await service.secondInstance({ rateLimits: true });
  user = await service.signUp();
  const app = express();
  app.use(requestLog(limited.deps));
  app.use((req, _res, next) => {
    req.tsRestRoute = routeWith(req.path.slice(1) as EndpointAuth);
    next();
  });
  app.use(guard(limited.deps, sessionUser(limited.deps)));
  app.use((req, res) => {
    const { session, secretKey } = req.caller ?? {};
    res.json({ caller: session ? 'user' : secretKey ? 'secret key' : 'nobody' });
  });
  app.use(errorHandler(service.deps.logger));
  listening = await listen(app, 0, '127.0.0.1');
});
afterAll(async () => {
  await listening.stop(1_000);
  await limited.stop();
  await service.stop();
});

function routeWith(auth: EndpointAuth): AppRoute {
  return {
    method: 'GET',
    path: `/${auth}`,
    responses: {},
    metadata: {
      auth,
      rateLimit: 'client',
      scope: 'data:read',
      audit: null,
      errors: [],
    } satisfies EndpointMetadata,
  };
}

const invalidToken = 'auth/invalid-token';
const invalidKey = 'admin/invalid-secret-key';
const rows: Record<
  Exclude<EndpointAuth, 'public'>,
  [none: string, token: string, key: string, unscoped: string, unknownKey: string]
> = {
  'app-key': ['nobody', 'nobody', 'nobody', 'nobody', 'nobody'],
  'optional-user': ['nobody', 'user', invalidToken, invalidToken, invalidToken],
  'optional-user-or-admin': ['nobody', 'user', 'secret key', 'admin/insufficient-scope', invalidKey],
  'signed-in': [invalidToken, 'user', invalidToken, invalidToken, invalidToken],
  'signed-in-or-admin': [invalidToken, 'user', 'secret key', 'admin/insufficient-scope', invalidKey],
  admin: [invalidKey, invalidKey, 'secret key', 'admin/insufficient-scope', invalidKey],
};

async function ask(auth: EndpointAuth, authorization?: string, more: Record<string, string> = {}) {
  const headers = { 'x-app-key': service.app.app.appKey, ...(authorization && { authorization }), ...more };
  const response = await fetch(`http://127.0.0.1:${listening.port}/${auth}`, { headers });
  const json = (await response.json()) as { caller?: string; error: { code: string } };
  return { said: json.caller ?? json.error.code, policy: response.headers.get('ratelimit-policy') };
}

describe.each(Object.entries(rows))('%s', (kind, row) => {
  const auth = kind as keyof typeof rows;

  test('accepts its credentials, and refuses each other one with its own error code', async () => {
    const other = await service.newApp();
    const data = { scopes: ['data:write'] };
    await service.database.prisma.secretKey.updateMany({ where: { appId: other.app.id }, data });
    const unscoped = { 'x-app-key': other.app.appKey };
    const answers = [
      await ask(auth),
      await ask(auth, `Bearer ${user.tokens.access_token}`),
      await ask(auth, `Bearer ${service.app.secretKey}`),
      await ask(auth, `Bearer ${other.secretKey}`, unscoped),
      await ask(auth, 'Bearer sk_unknown'),
    ];
    expect(answers.map(({ said }) => said)).toEqual(row);
    const declared = errorsOf(routeWith(auth));
    for (const said of row.filter((word) => word.includes('/'))) expect(declared).toContain(said);
  });

  test('refuses a secret key sent by a browser', async () => {
    const { said } = await ask(auth, `Bearer ${service.app.secretKey}`, { origin: 'https://app.example' });
    expect(said).toBe(row[2] === 'secret key' ? invalidKey : row[2]);
  });
});

test('a secret key has its own rate limit, in place of the one per IP address or user', async () => {
  const auth = 'optional-user-or-admin';
  expect((await ask(auth)).policy).toMatch(/^"client"/);
  expect((await ask(auth, `Bearer ${user.tokens.access_token}`)).policy).toMatch(/^"client"/);
  expect((await ask(auth, `Bearer ${service.app.secretKey}`)).policy).toMatch(/^"admin"/);
});
