// What a team member may do in an app.
import type { Role } from '@foyer/contract';

export type RoleRefusal = { reason: 'insufficient-role' | 'not-a-member'; needed: Role };

/** The role in an app: owners of the service own every app. */
export function roleInApp(member: { ownsService: boolean; membership: Role | null }): Role | null {
  return member.ownsService ? 'owner' : member.membership;
}

/** Returns null if the call is allowed. `allowed` is null for calls that act on no app, which every team account may make. */
export function checkRole(role: Role | null, allowed: readonly Role[] | null): RoleRefusal | null {
  if (allowed === null) return null;
  const [needed = 'owner'] = allowed;
  if (role === null) return { reason: 'not-a-member', needed };
  return allowed.includes(role) ? null : { reason: 'insufficient-role', needed };
}
