// The guard without a module: the credential that each kind of endpoint accepts.
import { type EndpointAuth, type EndpointMetadata, errorsOf } from '@foyer/contract';
import type { AppRoute } from '@ts-rest/core';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Listening, listen } from '../../engines/http-guard/listen.js';
import { cheapPasswordHasher, type TestService, type TestUser, testService } from '../../test/harness.js';
import { type TeamScenario, type TestMember, teamScenario } from '../../test/team-scenario.js';
import { errorHandler } from '../http/error-handler.js';
import { requestLog } from '../http/request-log.js';
import { guard } from './guard.js';

let service: TestService;
let user: TestUser;
let team: TeamScenario;
let viewer: TestMember;
let limited: TestService;
let listening: Listening;
beforeAll(async () => {
  service = await testService({ overrides: { passwordHasher: await cheapPasswordHasher() } });
  limited = await service.secondInstance({ rateLimits: true });
  user = await service.signUp();
  team = await teamScenario(() => service);
  viewer = await team.newMember(service.app.app.id, 'viewer');
  const app = express();
  app.use(requestLog(limited.deps));
  app.use((req, _res, next) => {
    req.tsRestRoute = routeWith(req.path.slice(1) as EndpointAuth);
    next();
  });
  app.use(guard(limited.deps));
  app.use((req, res) => {
    const { session, secretKey, member } = req.call ?? {};
    res.json({ caller: session ? 'user' : secretKey ? 'secret key' : member ? 'member' : 'nobody' });
  });
  app.use(errorHandler(service.deps));
  listening = await listen(app, 0, '127.0.0.1');
});
afterAll(async () => {
  await listening.stop(1_000);
  await limited.stop();
  await service.stop();
});

function routeWith(auth: EndpointAuth): AppRoute {
  const shared = { rateLimit: 'client', audit: null, errors: [] } as const;
  const metadata: EndpointMetadata =
    auth === 'member' || auth === 'console'
      ? { ...shared, auth, role: null }
      : { ...shared, auth, scope: 'data:read' };
  return { method: 'GET', path: `/${auth}`, responses: {}, metadata };
}

const invalidToken = 'auth/invalid-token';
const invalidKey = 'admin/invalid-secret-key';
const notARole = 'console/insufficient-role';
const nobody = Array<string>(7).fill('nobody');
const noKeyOrMember = Array<string>(5).fill(invalidToken);
const keyOrMember = ['secret key', 'admin/insufficient-scope', invalidKey, 'member', notARole];
/** The answers to no credential, a token, a right, an unscoped and an unknown secret key, a member and another app's. */
const rows: Record<Exclude<EndpointAuth, 'public'>, string[]> = {
  'app-key': nobody,
  'optional-user': ['nobody', 'user', ...noKeyOrMember],
  'optional-user-or-admin': ['nobody', 'user', ...keyOrMember],
  'signed-in': [invalidToken, 'user', ...noKeyOrMember],
  'signed-in-or-admin': [invalidToken, 'user', ...keyOrMember],
  admin: [invalidKey, invalidKey, ...keyOrMember],
  member: [...noKeyOrMember, 'member', notARole],
  // A call of the dashboard itself acts on no app.
  console: [...noKeyOrMember, 'member', 'member'],
  'console-app-key': nobody,
};

async function ask(auth: EndpointAuth, authorization?: string, more: Record<string, string> = {}) {
  const { appKey } = auth.startsWith('console') ? team.consoleApp : service.app.app;
  const headers = { 'x-app-key': appKey, ...(authorization && { authorization }), ...more };
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
    const unscoped: Record<string, string> = auth.startsWith('console')
      ? {}
      : { 'x-app-key': other.app.appKey };
    const stranger = await team.newMember(other.app.id, 'owner');
    const answers = [
      await ask(auth),
      await ask(auth, `Bearer ${user.tokens.access_token}`),
      await ask(auth, `Bearer ${service.app.secretKey}`),
      await ask(auth, `Bearer ${other.secretKey}`, unscoped),
      await ask(auth, 'Bearer sk_unknown'),
      await ask(auth, `Bearer ${viewer.token}`),
      await ask(auth, `Bearer ${stranger.token}`),
    ];
    expect(answers.map(({ said }) => said)).toEqual(row);
    const declared = errorsOf(routeWith(auth));
    for (const said of row.filter((word) => word.includes('/'))) expect(declared).toContain(said);
  });

  test('refuses a malformed Authorization, which never passes for none', async () => {
    const { access_token: token } = user.tokens;
    const { secretKey } = service.app;
    for (const header of [
      'Bearer',
      `Basic ${token}`,
      token,
      `Bearer ${token} x`,
      `Bearer ${secretKey} x`,
      `Bearer ${secretKey}, Bearer ${secretKey}`,
      `Bearer ${token}, Bearer ${token}`,
      `Bearer=${token}`,
      `Bearer:${token}`,
      `Bearer${token}`,
      `Token ${secretKey}`,
      secretKey,
    ]) {
      const { said } = await ask(auth, header);
      expect([header, said]).toEqual([header, row[0] === 'nobody' && row[1] === 'nobody' ? 'nobody' : said]);
      if (row[1] !== 'nobody') expect([invalidToken, invalidKey]).toContain(said);
    }
  });

  test('refuses a secret key sent by a browser', async () => {
    const { said } = await ask(auth, `Bearer ${service.app.secretKey}`, { origin: 'https://app.example' });
    expect(said).toBe(row[2] === 'secret key' ? invalidKey : row[2]);
  });
});

test('a call of the dashboard requires its app key', async () => {
  const users = { 'x-app-key': service.app.app.appKey };
  for (const auth of ['console', 'console-app-key'] as const) {
    expect((await ask(auth, `Bearer ${viewer.token}`, users)).said).toBe('console/required');
  }
});

test('the pages of the service call from its origin, whatever origins the app allows', async () => {
  const { app } = await service.newApp();
  const own = await team.newMember(app.id, 'viewer');
  const data = { allowedOrigins: ['https://app.example'] };
  await service.database.prisma.app.update({ where: { id: app.id }, data });
  const from = async (auth: EndpointAuth, origin: string) =>
    (await ask(auth, `Bearer ${own.token}`, { origin, 'x-app-key': app.appKey })).said;
  const dashboard = service.deps.config.baseUrl;
  expect(await from('admin', dashboard)).toBe('member');
  expect(await from('member', dashboard)).toBe('member');
  expect(await from('optional-user-or-admin', dashboard)).toBe('member');
  expect(await from('admin', 'https://other.example')).toBe('request/origin-not-allowed');
  const account = { origin: dashboard, 'x-app-key': app.appKey };
  expect((await ask('optional-user', undefined, account)).said).toBe((await ask('optional-user')).said);
  const other = { origin: 'https://other.example', 'x-app-key': app.appKey };
  expect((await ask('optional-user', undefined, other)).said).toBe('request/origin-not-allowed');
});

test('a secret key has its own rate limit, in place of the one per IP address or user', async () => {
  const auth = 'optional-user-or-admin';
  expect((await ask(auth)).policy).toMatch(/^"client"/);
  expect((await ask(auth, `Bearer ${user.tokens.access_token}`)).policy).toMatch(/^"client"/);
  expect((await ask(auth, `Bearer ${service.app.secretKey}`)).policy).toMatch(/^"admin"/);
  expect((await ask(auth, `Bearer ${viewer.token}`)).policy).toMatch(/^"admin"/);
});
