// What the team's lists read, and how changes reach them.
import { queryClient } from '../../query-client.ts';

export const membersKey = (appId: string) => ['console', 'members', appId];

export const ownersKey = (appId: string) => ['console', 'owners', appId];

export const invitationsKey = (appId: string) => ['console', 'invitations', appId];

/** The own role, and with it the list of apps, may have changed too. */
export async function refreshTeam(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['console'] });
}
