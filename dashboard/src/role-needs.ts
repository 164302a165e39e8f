// What something requires of a member's role. The service enforces it; pages only explain it.
import {
  leastRoles,
  type Role,
  roleHasScope,
  roleIncludes,
  roles,
  type SecretKeyScope,
} from '@foyer/contract';

/** What something requires of a member. */
export type RoleNeeds = { scope: SecretKeyScope } | { role: Role };

export function roleMay(role: Role, needs: RoleNeeds): boolean {
  return 'scope' in needs ? roleHasScope(role, needs.scope) : roleIncludes(role, needs.role);
}

/** The roles that may do something, without those that only may do more. */
export function neededRoles(needs: RoleNeeds): string {
  return leastRoles(roles.filter((role) => roleMay(role, needs))).join(' or ');
}
