// What a team member may do in an app. Conventions of the API, "Apps, team and dashboard".
import { type Role, roleIncludes } from '@foyer/contract';

export type RoleRefusal = { reason: 'insufficient-role' | 'not-a-member'; needed: Role };

/** The role in an app: owners of the service own every app. */
export function roleInApp(member: { ownsService: boolean; membership: Role | null }): Role | null {
  return member.ownsService ? 'owner' : member.membership;
}

/** Null if the call is allowed. `needed` is null for calls that act on no app, which every team account may make. */
export function checkRole(role: Role | null, needed: Role | null): RoleRefusal | null {
  if (needed === null) return null;
  if (role === null) return { reason: 'not-a-member', needed };
  return roleIncludes(role, needed) ? null : { reason: 'insufficient-role', needed };
}
