import { limits } from '@foyer/contract';
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

test('when the clock steps back, a network over the limit is counted anew', async () => {
  const clock = manualClock();
  const over = {
    policy: 'invalid-credential-ip',
    rule: limits.rateLimits['invalid-credential-ip'],
    place: 0,
    remaining: -1,
  };
  const gate = credentialGate({ tryConsume: async () => ({ ...over, resetSeconds: 60 }) }, clock);
  const call = (credential: string, look: () => Promise<string>) =>
    gate.pass({ app: null, ip: '203.0.113.7', credential }, look).catch(({ code }: ApiError) => code);
  const limited = 'request/rate-limited';
  expect(await call('pk_1', () => Promise.reject(new ApiError('request/invalid-app-key')))).toBe(limited);
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
});
