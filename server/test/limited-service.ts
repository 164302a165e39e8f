// A service with rate limits on, called from many IP addresses: those in X-Forwarded-For, from one trusted proxy.
import { randomUUID } from 'node:crypto';
import { limits } from '@foyer/contract';
import { expect } from 'vitest';
import type { App } from '../src/model/app.js';
import { type Answer, type CallOptions, type TestUser, testService } from './harness.js';
import { expectRefusal } from './refusal.js';
import { expectV1Refusal } from './v1-scenario.js';

export type LimitedService = Awaited<ReturnType<typeof limitedService>>;

type Rule = { limit: number; windowSeconds: number };
type Rules = App['rateLimits'];

/** `rules` are limits of its first app. */
export async function limitedService(rules?: Rules) {
  const service = await testService({ rateLimits: true, config: { trustProxy: 1 } });
  const { apps } = service.deps;
  const { byKey } = apps;
  const rulesByApp = new Map(rules && [[service.app.app.id, rules]]);
  // An app has factors for groups of policies; a test needs one small limit beside others that it does not reach.
  apps.byKey = async (appKey) => {
    const app = await byKey(appKey);
    const rateLimits = app && rulesByApp.get(app.id);
    return rateLimits ? Object.assign(app, { rateLimits }) : app;
  };
  const setLimits = (id: string, rateLimits: Rules) => {
    rulesByApp.set(id, rateLimits);
    apps.forget();
  };
  const signUpFrom = (address: string, email = `${randomUUID()}@example.com`) =>
    service.call('POST', '/auth/sign-up', { ...from(address), body: { email, password: 'right password' } });
  return {
    ...service,
    signUpFrom,
    setLimits,
    signInFrom: (address: string, email: string, password: string) =>
      service.call('POST', '/auth/sign-in', { ...from(address), body: { email, password } }),
    /** A new app with these limits. */
    async newAppWith(rateLimits: Rules) {
      const made = await service.newApp();
      setLimits(made.app.id, rateLimits);
      return made;
    },
    /** Its answer once the window has ended, so many milliseconds from now; until then the call is refused. */
    async afterWindow(
      milliseconds: number,
      policy: keyof typeof limits.rateLimits,
      call: () => Promise<Answer>,
      rule?: Rule,
    ): Promise<Answer> {
      service.clock.advance(milliseconds - 1);
      expectLimited(await call(), policy, 1, rule);
      service.clock.advance(1);
      return call();
    },
    /** A user who signed up from an IP address of their own. */
    async newUser(): Promise<TestUser> {
      const { json } = await signUpFrom(newAddress());
      const { user } = json.data;
      return { uid: user.uid, email: user.email, password: 'right password', tokens: json.data };
    },
  };
}

let lastAddress = 0;
/** An IP address that has made no call yet. */
export function newAddress(): string {
  lastAddress += 1;
  return `198.51.${lastAddress >> 8}.${lastAddress & 255}`;
}

let lastNetwork = 0;
/** An IP address in a /24 that has made no call yet. */
export function newNetwork(): string {
  lastNetwork += 1;
  return `${11 + (lastNetwork >> 16)}.${(lastNetwork >> 8) & 255}.${lastNetwork & 255}.1`;
}

export function from(address: string): CallOptions {
  return { headers: { 'x-forwarded-for': address } };
}

/** Sequentially. */
export async function times<T>(count: number, work: (place: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let place = 0; place < count; place += 1) results.push(await work(place));
  return results;
}

/** Refused by this policy, with this Retry-After in seconds. */
export function expectLimited(
  answer: Answer,
  policy: keyof typeof limits.rateLimits,
  retryAfterSeconds: number,
  { limit, windowSeconds }: Rule = limits.rateLimits[policy],
): void {
  if ('error' in answer.json) expectRefusal(answer, 'request/rate-limited');
  else expectV1Refusal(answer, 429, 'Too many requests; try again after the seconds given in Retry-After.');
  expect({
    after: answer.headers.get('retry-after'),
    policy: answer.headers.get('ratelimit-policy'),
    state: answer.headers.get('ratelimit'),
  }).toEqual({
    after: String(retryAfterSeconds),
    policy: `"${policy}";q=${limit};w=${windowSeconds}`,
    state: `"${policy}";r=0;t=${retryAfterSeconds}`,
  });
}
