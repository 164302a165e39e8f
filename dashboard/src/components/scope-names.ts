// The scopes of keys and roles in groups, with what they allow.
import { type ScopeRight, type SecretKeyScope, scopeRights } from '@foyer/contract';

type ScopeGroup = { name: string; scopes: readonly SecretKeyScope[] };

export const scopeGroups: readonly ScopeGroup[] = [
  { name: 'Users', scopes: ['users:read', 'users:support', 'users:write', 'tokens:verify'] },
  { name: 'Loyalty', scopes: ['loyalty:read', 'loyalty:write'] },
  { name: 'Remote Config', scopes: ['config:read', 'config:write'] },
  { name: 'Data', scopes: ['data:read', 'data:write', 'data:manage'] },
  { name: 'Files', scopes: ['files:read', 'files:write'] },
  { name: 'Push', scopes: ['push:read', 'push:send'] },
  {
    name: 'App',
    scopes: [
      'settings:manage',
      'sign-in:manage',
      'webhooks:manage',
      'audit:read',
      'stats:read',
      'migration:read',
    ],
  },
];

/** The scopes of a group with their descriptions, in order. */
export function scopesIn(group: ScopeGroup): [SecretKeyScope, ScopeRight][] {
  return group.scopes.map((scope) => [scope, scopeRights[scope]]);
}
