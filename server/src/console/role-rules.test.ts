// What each role allows: every row of the rules, and the scopes of the roles.
import { type Role, roleOfScope, roles, secretKeyScopes } from '@foyer/contract';
import { expect, test } from 'vitest';
import { checkRole, roleInApp } from './role-rules.js';

const verdicts: Record<string, string[]> = {
  //         viewer     editor          admin           owner
  none: ['not-a-member', 'not-a-member', 'not-a-member', 'not-a-member'],
  viewer: ['allowed', 'insufficient-role', 'insufficient-role', 'insufficient-role'],
  editor: ['allowed', 'allowed', 'insufficient-role', 'insufficient-role'],
  admin: ['allowed', 'allowed', 'allowed', 'insufficient-role'],
  owner: ['allowed', 'allowed', 'allowed', 'allowed'],
};

test.each(Object.entries(verdicts))('a member with the role %s', (name, expected) => {
  const role = name === 'none' ? null : (name as Role);
  expect(roles.map((needed) => checkRole(role, needed)?.reason ?? 'allowed')).toEqual(expected);
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

test('the scopes that each role adds to those before it', () => {
  const added = (role: Role) => secretKeyScopes.filter((scope) => roleOfScope(scope) === role);
  expect(added('viewer')).toEqual(secretKeyScopes.filter((scope) => scope.endsWith(':read')));
  expect(added('editor')).toEqual([
    'push:send',
    'data:write',
    'files:write',
    'config:write',
    'loyalty:write',
  ]);
  expect(added('admin')).toEqual([
    'users:write',
    'tokens:verify',
    'data:manage',
    'webhooks:manage',
    'settings:manage',
  ]);
  expect(added('owner')).toEqual([]);
});
