// Why the member may not do something, and who can change it.
import { useQuery } from '@tanstack/react-query';
import { consoleApi } from '../api.ts';
import { neededRoles, type RoleNeeds, roleMay, useApp } from '../current-app.tsx';
import { personName } from './person-name.ts';

const shownOwners = 3;

/** Null for a member who may; `what` needs the role. */
export function useRoleReason(needs: RoleNeeds, what = 'This'): string | null {
  const { app } = useApp();
  const may = roleMay(app.role, needs);
  const owners = useQuery({
    queryKey: [app.id, 'members', 'owners'],
    queryFn: async ({ signal }) => {
      const { items } = await consoleApi.console.listMembers(app.id, { limit: 100 }, { signal });
      return items.filter(({ role }) => role === 'owner').map((owner) => personName(owner) || owner.email);
    },
    enabled: !may,
    staleTime: 300_000,
  }).data;
  if (may) return null;
  return `${what} requires the role ${neededRoles(needs)}; your role in ${app.name} is ${app.role}. ${whoCanChange(owners)}`;
}

/** An app without an owner of its own belongs to the owners of the service, whom its members cannot list. */
function whoCanChange(owners: string[] | undefined): string {
  if (owners === undefined) return 'An owner can change it.';
  if (owners.length === 0) return 'An owner of the service can change it.';
  const others = owners.length > shownOwners ? ', or another owner' : '';
  return `An owner can change it: ${owners.slice(0, shownOwners).join(', ')}${others}.`;
}
