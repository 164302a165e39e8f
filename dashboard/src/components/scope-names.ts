// What the scopes of keys and roles allow, in words.
import type { SecretKeyScope } from '@foyer/contract';

export const scopeGroups: readonly { name: string; scopes: Partial<Record<SecretKeyScope, string>> }[] = [
  {
    name: 'Users',
    scopes: {
      'users:read': 'Read users and their devices',
      'users:write': 'Create, change, disable and delete users',
      'tokens:verify': 'Verify access tokens',
    },
  },
  {
    name: 'Loyalty',
    scopes: { 'loyalty:read': 'Read points and their history', 'loyalty:write': 'Add and deduct points' },
  },
  {
    name: 'Remote Config',
    scopes: { 'config:read': 'Read the config and its history', 'config:write': 'Publish and roll back' },
  },
  {
    name: 'Data',
    scopes: {
      'data:read': 'Read records',
      'data:write': 'Create, change and delete records',
      'data:manage': 'Create, change and delete collections',
    },
  },
  {
    name: 'Files',
    scopes: { 'files:read': 'Read files', 'files:write': 'Upload and delete files' },
  },
  {
    name: 'Push',
    scopes: { 'push:read': 'Read messages, receipts and devices', 'push:send': 'Send messages' },
  },
  {
    name: 'App',
    scopes: {
      'webhooks:manage': 'Manage webhooks and read events',
      'settings:manage': 'Read and change settings',
      'audit:read': 'Read the audit log',
      'stats:read': 'Read statistics',
      'migration:read': 'Read the progress of the move from v1',
    },
  },
];

/** The scopes of a group with their descriptions, in order. */
export function scopesIn(group: (typeof scopeGroups)[number]): [SecretKeyScope, string][] {
  return Object.entries(group.scopes) as [SecretKeyScope, string][];
}
