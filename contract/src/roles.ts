// The roles of team members and what each role allows.
import type { SecretKeyScope } from './scopes.js';

/** The roles, from least to most; each role includes those before it, but support and editor do not include each other. */
export const roles = ['viewer', 'support', 'editor', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/** What the role writes; admins and owners write everything, and every role reads everything. */
const writes: Record<'viewer' | 'support' | 'editor', readonly SecretKeyScope[]> = {
  viewer: [],
  support: ['users:support', 'loyalty:write'],
  editor: ['config:write', 'data:write', 'files:write', 'push:send', 'loyalty:write'],
};

/** True if `role` is `needed` or includes it. */
export function roleIncludes(role: Role, needed: Role): boolean {
  if (role === 'editor' && needed === 'support') return false;
  return roles.indexOf(role) >= roles.indexOf(needed);
}

export function roleHasScope(role: Role, scope: SecretKeyScope): boolean {
  return role === 'admin' || role === 'owner' || scope.endsWith(':read') || writes[role].includes(scope);
}

/** The least of the roles: those that include no other one of them. */
export function leastRoles(allowed: readonly Role[]): Role[] {
  return allowed.filter((role) => !allowed.some((other) => other !== role && roleIncludes(role, other)));
}
