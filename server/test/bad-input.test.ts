// Five hundred bad inputs for every route: none is answered 500, and every answer is one that the route declares.
import { Agent, type ClientRequestArgs, request } from 'node:http';
import { hasBody, metadataOf } from '@foyer/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ZodObject, ZodUnion } from 'zod';
import type { NewApp } from '../src/apps/create-app.js';
import { type Chance, chanceOf, damaged, oddBytes, oddObject, oddText, oddValue } from './bad-values.js';
import { type ContractRoute, contractRoutes, expectDeclared, pathOf } from './contract-routes.js';
import { cheapPasswordHasher, type TestService, type TestUser } from './harness.js';
import { type ProviderStory, providerStory } from './provider-story.js';
import { expectEnvelope } from './refusal.js';

const inputsPerRoute = 500;
const atOnce = 10;
/** FOYER_TEST_SEED repeats a run; its value stands in the name of each test. */
const seed = Number(process.env.FOYER_TEST_SEED ?? Math.floor(Math.random() * 2 ** 32));

let providers: ProviderStory;
let service: TestService;
let user: TestUser;
/** What bad settings are tried on, so that a good one among them changes nothing for the other routes. */
let settled: NewApp;
const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
beforeAll(async () => {
  providers = await providerStory({ given: { passwordHasher: await cheapPasswordHasher() } });
  service = providers.service;
  user = await service.signUp();
  settled = await service.newApp();
});
afterAll(async () => {
  agent.destroy();
  await providers.stop();
});

type Input = { method: string; path: string; headers: [string, string][]; body: Buffer | null };
type Came = { status: number; headers: Headers; text: string };

describe(`with the seed ${seed}`, () => {
  test.each(contractRoutes.map((each, place) => [each.id, each, place] as const))(
    '%s answers 500 bad inputs in the envelope, with codes of its own, and never with 500',
    async (_, each, place) => {
      const chance = chanceOf(seed + place);
      for (let done = 0; done < inputsPerRoute; done += atOnce) {
        // A sign-out among the inputs may have been a good one.
        const alive = await service.call('GET', '/me', { token: user.tokens.access_token });
        if (alive.status !== 200) user = await service.signUp();
        const inputs = Array.from({ length: atOnce }, () => badInput(chance, each));
        await Promise.all(
          inputs.map(async (input) => {
            const came = await send(input);
            try {
              judge(each, came);
            } catch (error) {
              throw new Error(
                `seed ${seed}: ${shown(input)} was answered ${came.status} ${came.text.slice(0, 500)}`,
                {
                  cause: error,
                },
              );
            }
          }),
        );
      }
    },
  );

  test('the service still answers', async () => {
    user = await service.signUp();
    expect((await service.call('GET', '/me', { token: user.tokens.access_token })).status).toBe(200);
    expect(await service.database.prisma.user.count()).toBeGreaterThan(0);
  });
});

function judge(each: ContractRoute, came: Came): void {
  // A refresh token whose changed byte names a SECRET_KEY that is not held: nothing can be said of it (refresh-token design).
  const unknownKey = each.id === 'sessions.refresh' && came.status === 503;
  if (!unknownKey) expect(came.status).toBeLessThan(500);
  if (came.status < 300) {
    expect(came.headers.get('x-request-id')).toBeTruthy();
    return;
  }
  expect(came.status).toBeGreaterThanOrEqual(400);
  expectEnvelope(came);
  const { code, fields } = JSON.parse(came.text).error;
  expectDeclared(each, code);
  if (code === 'request/validation-failed') expect(Object.keys(fields)).not.toEqual([]);
}

function badInput(chance: Chance, { route }: ContractRoute): Input {
  const params: Record<string, string> = {};
  for (const [, name] of route.path.matchAll(/:(\w+)/g)) params[name as string] = oddPathPart(chance);
  const query = chance.oneIn(3) ? oddQuery(chance) : '';
  const headers: [string, string][] = [];
  const { auth } = metadataOf(route);
  add(headers, chance, 'X-App-Key', (auth === 'admin' ? settled : service.app).app.appKey);
  if (auth === 'signed-in' || auth === 'admin' || (auth === 'optional-user' && chance.oneIn(3))) {
    const token = auth === 'admin' ? settled.secretKey : user.tokens.access_token;
    add(headers, chance, 'Authorization', `Bearer ${chance.oneIn(5) ? damaged(chance, token) : token}`);
  }
  for (const name of [
    'User-Agent',
    'X-Client-Device',
    'X-Client-Version',
    'X-Forwarded-For',
    'Origin',
    'Accept',
    'Idempotency-Key',
  ]) {
    if (chance.oneIn(4)) headers.push([name, headerText(oddText(chance))]);
  }
  let body: Buffer | null = null;
  if (hasBody(route) || chance.oneIn(4)) {
    body = oddBytes(chance, oddBody(chance, route));
    add(headers, chance, 'Content-Type', chance.oneIn(30) ? headerText(oddText(chance)) : 'application/json');
    if (chance.oneIn(25)) headers.push(['Content-Encoding', chance.pick(['gzip', 'deflate', 'br', 'x', ''])]);
  }
  return { method: route.method, path: `/api/v2${pathOf(route, params)}${query}`, headers, body };
}

/** An object with the keys of the contract: all odd, or good but for one or two, so that deep places are reached too. */
function oddBody(chance: Chance, route: ContractRoute['route']): unknown {
  if (chance.oneIn(8)) return oddValue(chance);
  const keys = hasBody(route) ? keysOf((route as unknown as { body: ZodObject | ZodUnion }).body) : [];
  if (keys.length === 0 || chance.oneIn(3)) return oddObject(chance, keys);
  const body: Record<string, unknown> = { ...goodValues(chance) };
  for (const key of Object.keys(body)) if (!keys.includes(key)) delete body[key];
  const wrong = chance.pick(keys);
  body[wrong] =
    wrong === 'refresh_token' ? damaged(chance, user.tokens.refresh_token) : oddText(chance).toWellFormed();
  if (chance.oneIn(3)) body[chance.pick(keys)] = oddValue(chance);
  return body;
}

/** Of a body that may have several shapes, those of all of them. */
function keysOf(body: ZodObject | ZodUnion): string[] {
  const shapes = 'options' in body ? (body.options as unknown as ZodObject[]) : [body];
  return [...new Set(shapes.flatMap(({ shape }) => Object.keys(shape)))];
}

function goodValues(chance: Chance): Record<string, unknown> {
  return {
    email: chance.oneIn(3) ? user.email : `user-${chance.number(1e9)}@example.com`,
    password: user.password,
    first_name: 'Ada',
    last_name: null,
    photo_url: 'https://images.example.com/ada.jpg',
    refresh_token: user.tokens.refresh_token,
    code: String(chance.number(10 ** 6)).padStart(6, '0'),
    current_password: user.password,
    id_token: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln',
    identity_token: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln',
    authorization_code: 'a code',
    nonce: 'a nonce',
    deep_link: 'https://app.example.com/sign-in?x=1',
    mail: { from_name: 'Example', texts: { sign_in: { de: { subject: 'Hallo', text: 'Dein Code' } } } },
    rate_limits: { client: { limit: 300, window_seconds: 60 } },
    provider_a: { client_ids: { web: 'web.client' } },
  };
}

/** Once as it should be, sometimes missing, sometimes twice, sometimes something else. */
function add(headers: [string, string][], chance: Chance, name: string, value: string): void {
  const how = chance.number(100);
  if (how < 2) return;
  if (how < 4) headers.push([name, headerText(oddText(chance))]);
  if (how !== 4) headers.push([name, value]);
  if (how === 5) headers.push([name, value]);
}

function oddPathPart(chance: Chance): string {
  if (chance.oneIn(4)) return '01JC4Q7M0RZ9X2V5T8W3Y6K1NB';
  if (chance.oneIn(6))
    return chance.pick(['%00', '%ff', '%', '%zz', '%ED%A0%80', '%2e%2e', '%2F', '..;', '*', ':id']);
  return encoded(oddText(chance)).slice(0, 4_000) || 'x';
}

function oddQuery(chance: Chance): string {
  const parameters = Array.from({ length: 1 + chance.number(4) }, () => {
    const name = chance.oneIn(2) ? chance.pick(['limit', 'cursor']) : encoded(oddText(chance)).slice(0, 500);
    const value = chance.oneIn(8) ? '%zz' : encoded(oddText(chance)).slice(0, 1_500);
    return chance.oneIn(8) ? name : `${name}=${value}`;
  });
  return `?${parameters.join('&')}`;
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27');
}

/** What Node's client agrees to send: Latin-1 without control characters, and not too much of it. */
function headerText(text: string): string {
  return Buffer.from(text.slice(0, 2_000))
    .toString('latin1')
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
    .slice(0, 3_000);
}

function send({ method, path, headers, body }: Input): Promise<Came> {
  return new Promise((resolve, reject) => {
    const lines = ['Host', 'accounts.test', ...headers.flat()];
    if (body) lines.push('Content-Length', String(body.length));
    const options: ClientRequestArgs = {
      port: service.listening.port,
      host: '127.0.0.1',
      agent,
      method,
      path,
    };
    const outgoing = request({ ...options, headers: lines }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const came = new Headers();
        for (const [name, value] of Object.entries(incoming.headers)) came.set(name, String(value));
        resolve({ status: incoming.statusCode ?? 0, headers: came, text: Buffer.concat(chunks).toString() });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body ?? undefined);
  });
}

function shown({ method, path, headers, body }: Input): string {
  const parts = [
    method,
    path.slice(0, 300),
    JSON.stringify(headers).slice(0, 600),
    body?.toString().slice(0, 600),
  ];
  return parts.filter(Boolean).join(' ');
}
