// The keys of identity providers that a process keeps.
import { expect, test } from 'vitest';
import type { SsrfSafeFetch } from '../../engines/safe-fetch/index.js';
import { manualClock } from '../../test/harness.js';
import { jsonLogger } from '../lib/logger.js';
import { identityProviders } from './provider.js';

test('the keys of the 200 issuers that were used last are kept, however many issuers there are', () => {
  const provider = {
    issuers: ['https://a.example'] as [string],
    jwksUrl: 'https://a.example/keys',
    tokenUrl: '',
    revokeUrl: '',
  };
  const { ofIssuer } = identityProviders(
    { providerA: provider, providerB: provider },
    { fetch, ssrfSafeFetch: {} as SsrfSafeFetch, clock: manualClock(), logger: jsonLogger('silent') },
  );
  const keysOf = (n: number) => ofIssuer(`https://${n}.example`).keys;
  const first = keysOf(0);
  const second = keysOf(1);
  for (let n = 2; n < 200; n += 1) keysOf(n);
  expect(keysOf(0)).toBe(first);
  keysOf(200);
  expect(keysOf(0)).toBe(first);
  expect(keysOf(1)).not.toBe(second);
});
