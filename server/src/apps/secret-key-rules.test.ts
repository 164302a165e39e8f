// Each row of the rules for secret keys, and their precedence.
import { expect, test } from 'vitest';
import { checkSecretKey } from './secret-key-rules.js';

const now = new Date('2026-03-01T10:00:00.123Z');
const later = new Date(now.getTime() + 1);
const key = { scopes: ['users:read'], expiresAt: null, revokedAt: null };
const call = { now, needs: { scope: 'users:read' }, fromBrowser: false };
const lacks = (scope: string) => ({ reason: 'scope-missing', scope });

test.each([
  ['a live key with its scope', {}, {}, 'good'],
  ['one for a call without a scope', { scopes: [] }, { needs: {} }, 'good'],
  ['one that expires a millisecond later', { expiresAt: later }, {}, 'good'],
  ['one that expires now', { expiresAt: now }, {}, 'expired'],
  ['one without the scope', {}, { needs: { scope: 'users:write' } }, lacks('users:write')],
  ['one without any', { scopes: [] }, {}, lacks('users:read')],
  [
    'one with the other of two scopes',
    {},
    { needs: { scope: 'users:write', orScope: 'users:read' } },
    'good',
  ],
  [
    'one with neither of two scopes',
    {},
    { needs: { scope: 'data:read', orScope: 'data:write' } },
    lacks('data:read'),
  ],
  [
    'one with the first of two required scopes',
    {},
    { needs: { scope: 'users:read', alsoScope: 'data:read' } },
    lacks('data:read'),
  ],
  [
    'one with the second of two required scopes',
    {},
    { needs: { scope: 'data:read', alsoScope: 'users:read' } },
    lacks('data:read'),
  ],
  ['one in a browser', {}, { fromBrowser: true }, 'in-browser'],
  ['one in a browser without the scope', { scopes: [] }, { fromBrowser: true }, 'in-browser'],
  ['one that expired, in a browser', { expiresAt: now }, { fromBrowser: true }, 'expired'],
  ['one that is revoked', { revokedAt: now }, {}, 'revoked'],
  ['one revoked before it expired', { revokedAt: now, expiresAt: now }, {}, 'revoked'],
])('%s', (_what, keyChange, callChange, verdict) => {
  const asked = { ...call, ...callChange } as Parameters<typeof checkSecretKey>[1];
  expect(checkSecretKey({ ...key, ...keyChange } as typeof key, asked)).toEqual(verdict);
});
