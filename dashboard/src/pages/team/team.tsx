// The team of an app: members, roles and pending invitations.
import { roles } from '@foyer/contract';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { consoleApi } from '../../api.ts';
import { TextLink } from '../../components/links.tsx';
import { useApp } from '../../current-app.tsx';
import { useMe } from '../../member.ts';
import { RoleTable } from './role-table.tsx';
import { TeamLists } from './team-lists.tsx';
import { ownersKey } from './team-query.ts';

export function TeamPage() {
  const { app } = useApp();
  const { owner } = useMe();
  const { data } = useQuery({
    queryKey: ownersKey(app.id),
    queryFn: ({ signal }) => consoleApi.console.listOwners(app.id, { limit: 100 }, { signal }),
  });
  const owners = data?.items ?? [];
  return (
    <TeamLists
      title="Team"
      description={`Who can work on ${app.name}, and what each of them may do.`}
      roles={roles}
    >
      <Text size="sm" c="dimmed">
        Owners of the service also own every app
        {owners.length > 0 && `: ${owners.map(({ email }) => email).join(', ')}`}
        {owner && (
          <>
            {' '}
            (
            <TextLink to="/owners" underline="always">
              see the owners
            </TextLink>
            )
          </>
        )}
        .
      </Text>
      <RoleTable />
    </TeamLists>
  );
}
