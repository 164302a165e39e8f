// Each row of the rules for secret keys, and their precedence.
import { expect, test } from 'vitest';
import { checkSecretKey } from './secret-key-rules.js';

const now = new Date('2026-03-01T10:00:00.123Z');
const later = new Date(now.getTime() + 1);
const key = { scopes: ['users:read'], expiresAt: null, revokedAt: null };
const call = { now, scope: 'users:read', fromBrowser: false };

test.each([
  ['a live key with its scope', {}, {}, 'good'],
  ['one for a call without a scope', { scopes: [] }, { scope: undefined }, 'good'],
  ['one that expires a millisecond later', { expiresAt: later }, {}, 'good'],
  ['one that expires now', { expiresAt: now }, {}, 'expired'],
  ['one without the scope', {}, { scope: 'users:write' }, 'scope-missing'],
  ['one without any', { scopes: [] }, {}, 'scope-missing'],
  ['one in a browser', {}, { fromBrowser: true }, 'in-browser'],
  ['one in a browser without the scope', { scopes: [] }, { fromBrowser: true }, 'in-browser'],
  ['one that expired, in a browser', { expiresAt: now }, { fromBrowser: true }, 'expired'],
  ['one that is revoked', { revokedAt: now }, {}, 'revoked'],
  ['one revoked before it expired', { revokedAt: now, expiresAt: now }, {}, 'revoked'],
] as const)('%s', (_what, keyChange, callChange, verdict) => {
  expect(
    checkSecretKey({ ...key, ...keyChange } as typeof key, { ...call, ...callChange } as typeof call),
  ).toBe(verdict);
});
