import { expect, test } from 'vitest';
import { manualClock } from '../../test/harness.js';
import { ApiError } from '../lib/api-error.js';
import { credentialGate } from './credential-gate.js';

test('a credential is refused from memory only after two refusals in a row within a second', async () => {
  const clock = manualClock();
  const gate = credentialGate({ tryConsume: async () => null }, clock);
  let lookedUp = 0;
  const call = (isValid: boolean) =>
    gate
      .pass({ app: null, ipAddress: '203.0.113.7', credential: 'pk_1' }, async () => {
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
