// What each role allows: every row of the rules, and the scopes of the roles.
import { leastRoles, type Role, roleHasScope, roleIncludes, roles, secretKeyScopes } from '@foyer/contract';
import { expect, test } from 'vitest';
import { checkRole, roleInApp } from './role-rules.js';

const verdicts: Record<string, string[]> = {
  //         viewer     support    editor     admin      owner
  none: ['not-a-member', 'not-a-member', 'not-a-member', 'not-a-member', 'not-a-member'],
  viewer: ['allowed', 'insufficient-role', 'insufficient-role', 'insufficient-role', 'insufficient-role'],
  support: ['allowed', 'allowed', 'insufficient-role', 'insufficient-role', 'insufficient-role'],
  editor: ['allowed', 'insufficient-role', 'allowed', 'insufficient-role', 'insufficient-role'],
  admin: ['allowed', 'allowed', 'allowed', 'allowed', 'insufficient-role'],
  owner: ['allowed', 'allowed', 'allowed', 'allowed', 'allowed'],
};

test.each(Object.entries(verdicts))('a member with the role %s', (name, expected) => {
  const role = name === 'none' ? null : (name as Role);
  const allowed = (needed: Role) => roles.filter((each) => roleIncludes(each, needed));
  expect(roles.map((needed) => checkRole(role, allowed(needed))?.reason ?? 'allowed')).toEqual(expected);
  expect(checkRole(role, null)).toBeNull();
});

test.each([
  [true, null, 'owner'],
  [true, 'viewer', 'owner'],
  [false, 'viewer', 'viewer'],
  [false, null, null],
] as const)('the role in an app: owns the service %j, membership %j', (ownsService, membership, role) => {
  expect(roleInApp({ ownsService, membership })).toBe(role);
});

test('the scopes of each role, beyond those of a viewer', () => {
  const scopesOf = (role: Role) => secretKeyScopes.filter((scope) => roleHasScope(role, scope));
  const reads = secretKeyScopes.filter((scope) => scope.endsWith(':read'));
  const writes = (role: Role) => scopesOf(role).filter((scope) => !reads.includes(scope));
  expect(scopesOf('viewer')).toEqual(reads);
  expect(writes('support')).toEqual(['users:support', 'loyalty:write']);
  expect(writes('editor')).toEqual([
    'push:send',
    'data:write',
    'files:write',
    'config:write',
    'loyalty:write',
  ]);
  for (const role of ['admin', 'owner'] as const) expect(scopesOf(role)).toEqual([...secretKeyScopes]);
});

test('the least of the roles that may do something', () => {
  expect(leastRoles(roles)).toEqual(['viewer']);
  expect(leastRoles(['support', 'editor', 'admin', 'owner'])).toEqual(['support', 'editor']);
  expect(leastRoles(['admin', 'owner'])).toEqual(['admin']);
});
