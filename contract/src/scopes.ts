// The scopes of secret keys. Conventions of the API, "Admin".

export const secretKeyScopes = [
  'users:read',
  'users:write',
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
  'audit:read',
  'migration:read',
  'stats:read',
] as const;
export type SecretKeyScope = (typeof secretKeyScopes)[number];
