// The fake service of `/testing` against the real one: the same calls in the same order have the same statuses, error codes,
// invalid fields and shapes, and what the fake answers is valid by the contract.
import { contract } from '@foyer/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import { differencesFrom } from '../../server/test/exact-shape.js';
import { type ProviderScenario, providerScenario } from '../../server/test/provider-scenario.js';
import type { Route } from '../src/generated/routes.js';
import { fakeApi } from '../src/testing/fake-api.js';
import { accountSteps } from './parity-account-steps.js';
import { codeSteps } from './parity-code-steps.js';
import { featureSteps } from './parity-feature-steps.js';
import { fakeWorld, type Got, realWorld, send, type World } from './parity-world.js';

const steps = { ...accountSteps, ...codeSteps, ...featureSteps };

const routes = new Map(
  Object.values(contract)
    .flatMap((group) => Object.values(group))
    .map((route) => [`${route.method} ${route.path}`, route]),
);

/** The names and types of a value, booleans as they are; of lists only whether they are empty, and the shape of their first item. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, key === 'fields' ? inner : shapeOf(inner)]),
  );
}

/** Depends on the service: the device of the test, and what the real service has in its settings. */
const own = new Set(['os', 'browser', 'type', 'tier', 'next_tier', 'passkeys']);

/** Runs all steps and returns the outcome of each call, by step. */
async function outcomesOn(world: World, check?: (route: Route, got: Got) => void) {
  const outcomes: Record<string, unknown[]> = {};
  for (const [name, step] of Object.entries(steps)) {
    const seen: unknown[] = [];
    outcomes[name] = seen;
    const returned = await step(async (sent) => {
      const got = await send(world, sent);
      check?.(sent.route, got);
      const { code, fields } = got.json?.error ?? {};
      const answer = got.data === undefined ? Object.keys(fields ?? {}) : shapeOf(omitted(got.data));
      seen.push([sent.route, got.status, code, answer]);
      return got;
    }, world);
    seen.push(returned);
  }
  return outcomes;
}

function omitted(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner) => (own.has(key) ? undefined : inner)));
}

let scenario: ProviderScenario;
let real: World;

beforeAll(async () => {
  scenario = await providerScenario();
  // The fake offers every provider by redirect.
  await scenario.set({ provider_a: { client_secret: 'a-secret' } });
  real = await realWorld(scenario);
});

afterAll(() => scenario.stop());
test('the fake answers each call like the real service, in shapes of the contract', async () => {
  const called = new Set<Route>();
  // The fake follows this clock, and steps end at the last millisecond of a time limit.
  vi.useFakeTimers({ toFake: ['Date'] });
  const faked = await outcomesOn(fakeWorld(), (route, { status, json }) => {
    const responses = routes.get(route)?.responses as Record<number, z.ZodType> | undefined;
    if (status >= 300 || !responses) return;
    called.add(route);
    if (status === 204) expect(json).toBeUndefined();
    else expect(differencesFrom(responses[status]!, json)).toEqual([]);
  });
  vi.useRealTimers();
  expect(faked).toEqual(await outcomesOn(real));
  // A fake device signs nothing and a fake authenticator app has codes of its own, so the real service refuses both:
  // passkeys.test.ts and second-factor.test.ts have their calls.
  const compared = appRoutes().filter((route) => !/passkey|factor/.test(route));
  expect(compared.filter((route) => !called.has(route))).toEqual([]);
});
/** The routes that the fake has: all that apps call, by its type. */
function appRoutes(): Route[] {
  const api = fakeApi({ baseUrl: '', appKey: '', nextCode: () => '' });
  const found = [...routes.values()].map(({ method, path }) => api.routeOf(method, path.replaceAll(':', '')));
  return found.filter((route) => route !== undefined);
}
