// Access tokens verified by third-party middleware, given only the issuer and the audience.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { expressjwt } from 'express-jwt';
import { auth } from 'express-oauth2-jwt-bearer';
import buildGetJwks from 'get-jwks';
import { describe, expect, test } from 'vitest';
import { freePort } from '../../test/free-port.js';
import { claimsOf, manualClock, testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import { createApp, type NewApp } from '../apps/create-app.js';
import { issuerOf } from '../model/app.js';
import { rotateSigningKeys } from './rotate-signing-keys.js';

// These libraries read the clock of the machine.
const service = shared(async () => testService({ port: await freePort(), clock: manualClock(new Date()) }));

type Resource = { status(accessToken: string): Promise<number>; stop(): void };
type Middleware = (app: NewApp) => RequestHandler;

const issuerFor = ({ app }: NewApp) => issuerOf(service.deps.config.baseUrl, app.id);
/** Long enough to cache, short enough for a test to wait. */
const cachedMilliseconds = 200;

const middlewares: [string, Middleware][] = [
  [
    'express-oauth2-jwt-bearer, strict',
    (app) =>
      auth({
        issuerBaseURL: issuerFor(app),
        audience: app.app.id,
        tokenSigningAlg: app.app.tokenAlgorithm,
        strict: true,
        cacheMaxAge: cachedMilliseconds,
        cooldownDuration: 0,
      }),
  ],
  [
    'express-jwt with get-jwks',
    (app) => {
      const issuer = issuerFor(app);
      const keys = buildGetJwks({
        providerDiscovery: true,
        issuersWhitelist: [issuer],
        ttl: cachedMilliseconds,
      });
      return expressjwt({
        algorithms: [app.app.tokenAlgorithm],
        issuer,
        audience: app.app.id,
        secret: async (_req, token) => {
          const { alg = '', kid = '' } = token?.header ?? {};
          return keys.getPublicKey({ domain: issuer, alg, kid });
        },
      });
    },
  ],
];

/** A third-party API behind such a middleware. */
async function resourceBehind(middleware: RequestHandler): Promise<Resource> {
  const app = express();
  app.get('/', middleware, (_req, res) => void res.json({ data: 'secret' }));
  const refused: ErrorRequestHandler = (error, _req, res, _next) => {
    res.status(error.status ?? 500).json({ error: { message: String(error.message) } });
  };
  app.use(refused);
  const server: Server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    async status(accessToken) {
      const headers = { authorization: `Bearer ${accessToken}`, connection: 'close' };
      return (await fetch(`http://127.0.0.1:${port}/`, { headers })).status;
    },
    stop: () => void server.close(),
  };
}

describe.each(middlewares)('%s', (_name, middleware) => {
  test.each(['ES256', 'RS256'] as const)(
    'accepts %s tokens of its app, and no others',
    async (tokenAlgorithm) => {
      const app = await createApp(service.deps, { name: 'Behind a gateway', tokenAlgorithm });
      const resource = await resourceBehind(middleware(app));
      const { tokens } = await service.signUp({ appKey: app.app.appKey });
      expect(await resource.status(tokens.access_token)).toBe(200);

      const { tokens: ofAnotherApp } = await service.signUp();
      expect(await resource.status(ofAnotherApp.access_token)).not.toBe(200);
      expect(await resource.status(tokens.refresh_token)).not.toBe(200);
      const [header, payload, signature] = tokens.access_token.split('.') as [string, string, string];
      const claims = { ...claimsOf(tokens.access_token), sub: 'somebody-else' };
      const changed = Buffer.from(JSON.stringify(claims)).toString('base64url');
      expect(await resource.status(`${header}.${changed}.${signature}`)).not.toBe(200);
      expect(await resource.status(`${header}.${payload}.${signature.slice(0, -4)}AAAA`)).not.toBe(200);
      expect(await resource.status(tokens.access_token)).toBe(200);
      resource.stop();
    },
  );

  test('refuses an expired token', async () => {
    const resource = await resourceBehind(middleware(service.app));
    service.clock.advance(-2 * 3_600_000);
    const { tokens } = await service.signUp();
    service.clock.advance(2 * 3_600_000);
    expect(await resource.status(tokens.access_token)).toBe(401);
    resource.stop();
  });

  test('accepts tokens throughout a rotation, and those of the new key at once', async () => {
    const resource = await resourceBehind(middleware(service.app));
    const before = await service.signUp();
    expect(await resource.status(before.tokens.access_token)).toBe(200);
    await rotateSigningKeys(service.deps, 'ES256');
    await service.deps.signingKeys.reload('now');
    const after = await service.signUp();
    expect(await resource.status(after.tokens.access_token)).toBe(200);
    expect(await resource.status(before.tokens.access_token)).toBe(200);
    resource.stop();
  });

  test('refuses a token after its key is revoked, and accepts the next token of that session', async () => {
    const resource = await resourceBehind(middleware(service.app));
    const { tokens } = await service.signUp();
    expect(await resource.status(tokens.access_token)).toBe(200);
    await rotateSigningKeys(service.deps, 'ES256', { revokeRetired: true });
    await service.deps.signingKeys.reload('now');
    // The library's cached key set must expire: its clock is the machine's.
    await expect
      .poll(() => resource.status(tokens.access_token), { interval: cachedMilliseconds, timeout: 60_000 })
      .not.toBe(200);
    const refreshed = await service.refresh(tokens.refresh_token);
    expect(await resource.status(refreshed.data.access_token)).toBe(200);
    resource.stop();
  });
});

test('the discovery document of an app names the key set and the requested issuer', async () => {
  const issuer = issuerFor(service.app);
  const answer = await fetch(`${issuer}/.well-known/openid-configuration`);
  const discovery = (await answer.json()) as { jwks_uri: string };
  expect(discovery).toMatchObject({ issuer, id_token_signing_alg_values_supported: ['ES256', 'RS256'] });
  const response = await fetch(discovery.jwks_uri);
  expect(response.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
  const { tokens } = await service.signUp();
  expect(claimsOf(tokens.access_token).iss).toBe(issuer);
  const nobody = service.deps.random.ulid(service.clock.now());
  const absent = await fetch(
    `${issuer.replace(service.app.app.id, nobody)}/.well-known/openid-configuration`,
  );
  expect(absent.status).toBe(404);
});
