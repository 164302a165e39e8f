// The lookup of credentials that can be guessed: remembered refusals, and networks over the limit.
import { type ErrorCode, limits } from '@foyer/contract';
import { expect, onTestFinished, test } from 'vitest';
import { manualClock } from '../../test/harness.js';
import { from, limitedService, newAddress } from '../../test/limited-service.js';
import { expectRefusal } from '../../test/refusal.js';
import { ApiError } from '../lib/api-error.js';
import { credentialGate } from './credential-gate.js';

test('a credential is refused from memory only after two refusals in a row within a second', async () => {
  const clock = manualClock();
  const gate = credentialGate({ tryConsume: async () => null }, clock);
  let lookedUp = 0;
  const call = (isValid: boolean) =>
    gate
      .pass({ app: null, ip: '203.0.113.7', credential: 'pk_1' }, async () => {
        lookedUp += 1;
        if (!isValid) throw new ApiError('request/invalid-app-key');
        return 'accepted';
      })
      .catch(({ code }: ApiError) => code);
  const refused = 'request/invalid-app-key';
  for (const isValid of [false, true, false, true]) {
    expect(await call(isValid)).toBe(isValid ? 'accepted' : refused);
  }
  expect(lookedUp).toBe(4);
  for (const isValid of [false, false, true]) expect(await call(isValid)).toBe(refused);
  expect(lookedUp).toBe(6);
  clock.advance(1_000);
  expect(await call(true)).toBe('accepted');
});

const invalid: ErrorCode = 'request/invalid-app-key';
const refused = () => Promise.reject(new ApiError(invalid));

/** Each refusal that is counted is one over the limit, for a minute. */
function gateOverLimit() {
  const clock = manualClock();
  const over = {
    policy: 'invalid-credential-ip',
    rule: limits.rateLimits['invalid-credential-ip'],
    place: 0,
    remaining: -1,
  };
  const gate = credentialGate({ tryConsume: async () => ({ ...over, resetSeconds: 60 }) }, clock);
  const call = (credential: string | null, look: () => Promise<string>, ip = '203.0.113.7') =>
    gate.pass({ app: null, ip, credential }, look).catch(({ code }: ApiError) => code);
  return { clock, call };
}

test('a network over the limit is refused until its minute is over', async () => {
  const { clock, call } = gateOverLimit();
  await call('pk_1', refused);
  clock.advance(59_999);
  expect(await call('pk_2', async () => 'accepted')).toBe('request/rate-limited');
  clock.advance(1);
  expect(await call('pk_2', async () => 'accepted')).toBe('accepted');
});

test('a network whose minute is over stays free when the clock steps back', async () => {
  const { clock, call } = gateOverLimit();
  await call('pk_1', refused);
  clock.advance(60_000);
  expect(await call('pk_2', async () => 'accepted')).toBe('accepted');
  clock.advance(-30_000);
  expect(await call('pk_3', async () => 'accepted')).toBe('accepted');
});

test('a credential that was valid is looked up although its network is refused, until it is invalid', async () => {
  const { clock, call } = gateOverLimit();
  await call('pk_1', async () => 'accepted');
  await call('pk_2', refused);
  expect(await call('pk_1', async () => 'accepted')).toBe('accepted');
  expect(await call(null, async () => 'without a credential')).toBe('without a credential');
  await call('pk_1', refused);
  clock.advance(1_000);
  let lookedUp = false;
  const look = async () => {
    lookedUp = true;
    return 'accepted';
  };
  expect([await call('pk_1', look), lookedUp]).toEqual(['request/rate-limited', false]);
});

test('ten thousand credentials that were valid are remembered, and all are forgotten for one more', async () => {
  const { call } = gateOverLimit();
  const accepted = async () => 'accepted';
  for (let key = 0; key < 10_000; key += 1) await call(`pk_${key}`, accepted, '203.0.113.8');
  await call('pk_unknown', refused);
  expect(await call('pk_0', accepted)).toBe('accepted');
  await call('pk_10000', accepted, '203.0.113.8');
  expect(await call('pk_0', accepted)).toBe('request/rate-limited');
  expect(await call('pk_10000', accepted)).toBe('accepted');
});

test('ten thousand networks are refused, and all are forgotten for one more', async () => {
  const { call } = gateOverLimit();
  const accepted = async () => 'accepted';
  const ipOf = (place: number) => `10.0.${place >> 8}.${place & 255}`;
  for (let place = 0; place < 10_000; place += 1) await call(`pk_${place}`, refused, ipOf(place));
  expect(await call('pk_a', accepted, ipOf(0))).toBe('request/rate-limited');
  await call('pk_10000', refused, ipOf(10_000));
  expect(await call('pk_b', accepted, ipOf(0))).toBe('accepted');
  expect(await call('pk_c', accepted, ipOf(10_000))).toBe('request/rate-limited');
});

test.each<[ErrorCode, boolean]>([
  [invalid, true],
  ['auth/invalid-token', true],
  ['admin/invalid-secret-key', true],
  ['auth/token-expired', false],
  ['request/rate-limited', false],
  ['request/unavailable', false],
])('the refusal %s of a credential counts against its network: %j', async (code, counts) => {
  const { call } = gateOverLimit();
  await call('pk_1', () => Promise.reject(new ApiError(code)));
  const next = await call('pk_2', async () => 'accepted');
  expect(next).toBe(counts ? 'request/rate-limited' : 'accepted');
});

test('when the clock steps back, a network over the limit is counted anew', async () => {
  const { clock, call } = gateOverLimit();
  const limited = 'request/rate-limited';
  expect(await call('pk_1', refused)).toBe(limited);
  expect(await call('pk_2', async () => 'accepted')).toBe(limited);
  clock.advance(-1_000);
  expect(await call('pk_2', async () => 'accepted')).toBe('accepted');
});

test('a network over the limit is counted anew once the app has changed the limit', async () => {
  const service = await limitedService({ 'invalid-credential-ip': { limit: 1, windowSeconds: 86_400 } });
  onTestFinished(() => service.stop());
  const network = from(newAddress());
  const call = (token: string) => service.call('GET', '/admin/settings', { token, ...network });
  expectRefusal(await call('sk_unknown'), 'admin/invalid-secret-key');
  expectRefusal(await call('sk_other'), 'request/rate-limited');
  expectRefusal(await call(service.app.secretKey), 'request/rate-limited');
  service.setLimits(service.app.app.id, { 'invalid-credential-ip': { limit: 1, windowSeconds: 60 } });
  expect((await call(service.app.secretKey)).status).toBe(200);
  expectRefusal(await call('sk_third'), 'admin/invalid-secret-key');
  expectRefusal(await call('sk_fourth'), 'request/rate-limited');
  expectRefusal(await call('sk_fifth'), 'request/rate-limited');
  service.setLimits(service.app.app.id, { 'invalid-credential-ip': { limit: 100, windowSeconds: 60 } });
  expectRefusal(await call('sk_fifth'), 'admin/invalid-secret-key');
});
