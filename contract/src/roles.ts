// The roles of team members and what each role allows. Conventions of the API, "Apps, team and dashboard".
import type { SecretKeyScope } from './scopes.js';

/** From least to most; each role includes those before it. */
export const roles = ['viewer', 'editor', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

const editorScopes: readonly SecretKeyScope[] = [
  'config:write',
  'data:write',
  'files:write',
  'push:send',
  'loyalty:write',
];

/** True if `role` is `needed` or includes it. */
export function roleIncludes(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}

/** The least role that has a scope: viewers read, editors change content, admins manage users and the app. */
export function roleOfScope(scope: SecretKeyScope): Role {
  if (scope.endsWith(':read')) return 'viewer';
  return editorScopes.includes(scope) ? 'editor' : 'admin';
}
