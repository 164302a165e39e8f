// Why the member may not do something, and who can change it.
import { useQuery } from '@tanstack/react-query';
import { consoleApi } from '../api.ts';
import { useApp } from '../current-app.tsx';
import { neededRoles, type RoleNeeds, roleMay } from '../role-needs.ts';
import { personText } from './people.ts';

const shownOwners = 3;

/** Null for a member who may; `what` needs the role. */
export function useRoleReason(needs: RoleNeeds, what = 'This'): string | null {
  const { app } = useApp();
  const may = roleMay(app.role, needs);
  const owners = useQuery({
    queryKey: [app.id, 'members', 'owners'],
    queryFn: async ({ signal }) => {
      const page = { limit: 100 };
      const { items } = await consoleApi.console.listMembers(app.id, page, { signal });
      const own = items.filter(({ role }) => role === 'owner');
      // Without an owner of its own, an app belongs to those of the service.
      const owners =
        own.length > 0 ? own : (await consoleApi.console.listOwners(app.id, page, { signal })).items;
      return owners.map(personText);
    },
    enabled: !may,
    staleTime: 300_000,
  }).data;
  if (may) return null;
  return `${what} requires the role ${neededRoles(needs)}; your role in ${app.name} is ${app.role}. ${whoCanChange(owners)}`;
}

function whoCanChange(owners: string[] | undefined): string {
  if (owners === undefined) return 'An owner can change your role.';
  const others = owners.length > shownOwners ? ', or another owner' : '';
  return `An owner can change your role: ${owners.slice(0, shownOwners).join(', ')}${others}.`;
}
