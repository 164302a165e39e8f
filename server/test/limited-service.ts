// A service with rate limits on, called from many IP addresses: those in X-Forwarded-For, from one trusted proxy.
import { randomUUID } from 'node:crypto';
import { limits } from '@foyer/contract';
import { expect } from 'vitest';
import { type Answer, type CallOptions, type TestUser, testService } from './harness.js';
import { expectRefusal } from './refusal.js';

export type LimitedService = Awaited<ReturnType<typeof limitedService>>;

export async function limitedService() {
  const service = await testService({ rateLimits: true, config: { trustProxy: 1 } });
  const signUpFrom = (address: string, email = `${randomUUID()}@example.com`) =>
    service.call('POST', '/auth/sign-up', { ...from(address), body: { email, password: 'right password' } });
  return {
    ...service,
    signUpFrom,
    signInFrom: (address: string, email: string, password: string) =>
      service.call('POST', '/auth/sign-in', { ...from(address), body: { email, password } }),
    /** A new app with these limits. */
    async newAppWith(rateLimits: Record<string, { limit: number; windowSeconds: number }>) {
      const made = await service.newApp();
      await service.database.prisma.app.update({ where: { id: made.app.id }, data: { rateLimits } });
      service.deps.apps.forget();
      return made;
    },
    /** Its answer once the window has ended, so many milliseconds from now; until then the call is refused. */
    async afterWindow(
      milliseconds: number,
      policy: keyof typeof limits.rateLimits,
      call: () => Promise<Answer>,
    ): Promise<Answer> {
      service.clock.advance(milliseconds - 1);
      expectLimited(await call(), policy, 1);
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
): void {
  const { limit, windowSeconds } = limits.rateLimits[policy];
  expectRefusal(answer, 'request/rate-limited');
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
