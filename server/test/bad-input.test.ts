// Hundreds of bad inputs for every route: none is answered 500, and every answer is one that the route declares.
import { Agent } from 'node:http';
import { credentialsOf, metadataOf } from '@foyer/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ZodObject } from 'zod';
import type { NewApp } from '../src/apps/create-app.js';
import { encodeCursor } from '../src/lib/cursor.js';
import { badInput, type Came, judged } from './bad-input.js';
import { type Chance, chanceOf } from './bad-values.js';
import {
  type ContractRoute,
  callRoute,
  contractRoutes,
  expectDeclared,
  unknownId,
} from './contract-routes.js';
import type { TestService, TestUser } from './harness.js';
import { goodValues, type KnownRows, knownRows } from './known-rows.js';
import { providerScenario } from './provider-scenario.js';
import { expectEnvelope } from './refusal.js';
import { seed } from './seed.js';
import { shared } from './shared.js';
import { inFull } from './thorough.js';

const maxInputs = 500;
const inputsPerRoute = inFull(maxInputs, 10);
const atOnce = 10;

const providers = shared(providerScenario);
let service: TestService;
let rows: KnownRows;
/** The app whose settings bad inputs are sent to, so that a valid one does not affect the other routes. */
let settled: NewApp;
const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
beforeAll(async () => {
  service = providers.service;
  settled = await service.newApp();
  rows = knownRows(providers, settled);
});
afterAll(() => agent.destroy());

type Caller = 'nobody' | 'a user' | 'a secret key' | 'a member';

/** The caller's credentials. */
function callersOf({ route }: ContractRoute): Caller[] {
  const { user, secretKey, member, demanded } = credentialsOf(metadataOf(route).auth);
  return [
    ...(demanded ? [] : (['nobody'] as const)),
    ...(user ? (['a user'] as const) : []),
    ...(secretKey ? (['a secret key'] as const) : []),
    ...(member ? (['a member'] as const) : []),
  ];
}

const lists = contractRoutes.filter(
  ({ route }) => route.method === 'GET' && 'cursor' in ((route.query as ZodObject | undefined)?.shape ?? {}),
);

/** Well-formed, with keys that a database or a list cannot read. `lib/cursor.test.ts` has what no list accepts. */
const madeUpCursors = ['2026-99-99T00:00:00.000000Z', '0000-01-01T00:00:00.000000Z', '9'.repeat(400)].flatMap(
  (key) => [[key], [key, unknownId], ['-created_at', key, unknownId]],
);

describe(`with the seed ${seed}`, () => {
  test.each(contractRoutes.map((each, place) => [each.id, each, place] as const))(
    `%s answers ${inputsPerRoute} bad inputs in the envelope, with declared codes and never with 500`,
    async (_, each, place) => {
      const chance = chanceOf(seed + place);
      const callers = callersOf(each);
      /** Callers with an input that reached the resource named in the path. */
      const arrived = new Set<Caller>();
      const isDone = (done: number) =>
        done >= maxInputs || (done >= inputsPerRoute && arrived.size === callers.length);
      for (let done = 0; !isDone(done); done += atOnce) {
        const user = await rows.user();
        const params = await rows.params(each, user);
        const member = await rows.member();
        const inputs = Array.from({ length: atOnce }, () => {
          const caller = chance.pick(callers);
          return {
            caller,
            input: badInput(chance, each.route, given(chance, each, caller, { user, member }, params)),
          };
        });
        await Promise.all(
          inputs.map(async ({ caller, input }) => {
            const to = { port: service.listening.port, agent };
            const { status } = await judged(to, input, (came) => judge(each, came));
            if (input.known && ![401, 403, 404].includes(status)) arrived.add(caller);
          }),
        );
      }
      expect([...arrived].sort()).toEqual([...callers].sort());
    },
  );

  test.each(lists.map((each) => [each.id, each] as const))(
    '%s answers made-up cursors with 422 or a page, never with 500',
    async (_, each) => {
      const user = await rows.user();
      const params = await rows.params(each, user);
      const as = { user, member: await rows.member() };
      const caller = callersOf(each).at(-1) ?? 'nobody';
      const { appKey, bearer } = given(chanceOf(seed), each, caller, as, params);
      for (const cursor of madeUpCursors) {
        const query = `?cursor=${encodeCursor(cursor)}`;
        const token = bearer ?? undefined;
        const answer = await callRoute(service, each.route, { params, query, appKey, token });
        expect([200, 422], `${cursor} was answered ${answer.text}`).toContain(answer.status);
        if (answer.status === 422) expect(Object.keys(answer.json.error.fields)).toEqual(['cursor']);
      }
    },
  );

  test('the service still answers', async () => {
    const user = await service.signUp();
    expect((await service.call('GET', '/me', { token: user.tokens.access_token })).status).toBe(200);
    expect(await service.database.prisma.user.count()).toBeGreaterThan(0);
  });
});

function given(
  chance: Chance,
  { route }: ContractRoute,
  caller: Caller,
  { user, member }: { user: TestUser; member: { token: string; appKey: string } },
  params: Record<string, string>,
) {
  const { auth } = metadataOf(route);
  const app = auth === 'admin' || auth === 'member' ? settled : service.app;
  const appKey = auth.startsWith('console') ? member.appKey : app.app.appKey;
  const bearers = {
    nobody: null,
    'a user': user.tokens.access_token,
    'a secret key': app.secretKey,
    'a member': member.token,
  };
  const values = goodValues(chance, user);
  return { prefix: '/api/v2' as const, appKey, bearer: bearers[caller], params, values };
}

function judge(each: ContractRoute, came: Came): void {
  // A refresh token whose changed byte names an unknown encryption key cannot be classified.
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
