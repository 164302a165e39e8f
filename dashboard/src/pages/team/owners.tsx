// The owners of the service: the members of its reserved app `console`.
import { Text } from '@mantine/core';
import { TextLink } from '../../components/links.tsx';
import { OwnersOnly } from '../../components/owners-only.tsx';
import { TeamLists } from './team-lists.tsx';
import { TeamSecondFactor } from './team-second-factor.tsx';

export function OwnersPage() {
  return (
    <OwnersOnly title="Owners">
      <TeamLists
        title="Owners"
        description="Owners of the service create apps, and own every app."
        roles={['owner']}
      >
        <TeamSecondFactor />
        <Text size="sm">
          Sign-ins of the team and changes of the owners are in the{' '}
          <TextLink to="/owners/audit-log" underline="always">
            audit log of team accounts
          </TextLink>
          .
        </Text>
      </TeamLists>
    </OwnersOnly>
  );
}
