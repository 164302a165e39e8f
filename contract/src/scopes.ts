// The scopes of secret keys.

export const secretKeyScopes = [
  'users:read',
  'users:write',
  'users:support',
  'tokens:verify',
  'push:read',
  'push:send',
  'data:read',
  'data:write',
  'data:manage',
  'files:read',
  'files:write',
  'config:read',
  'config:write',
  'loyalty:read',
  'loyalty:write',
  'webhooks:manage',
  'settings:manage',
  'sign-in:manage',
  'audit:read',
  'migration:read',
  'stats:read',
] as const;
export type SecretKeyScope = (typeof secretKeyScopes)[number];
