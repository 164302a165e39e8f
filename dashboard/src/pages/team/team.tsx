// The team of an app: members, roles and pending invitations.
import { roles } from '@foyer/contract';
import { Text } from '@mantine/core';
import { TextLink } from '../../components/links.tsx';
import { useApp } from '../../current-app.tsx';
import { useMe } from '../../member.ts';
import { RoleTable } from './role-table.tsx';
import { TeamLists } from './team-lists.tsx';

export function TeamPage() {
  const { app } = useApp();
  const { owner } = useMe();
  return (
    <TeamLists
      title="Team"
      description={`Who can work on ${app.name}, and what each of them may do.`}
      roles={roles}
    >
      <Text size="sm" c="dimmed">
        Owners of the service also own every app, and are not listed here
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
