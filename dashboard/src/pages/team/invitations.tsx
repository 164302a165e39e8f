// The pending invitations of a team.
import type { Invitation } from '@foyer/contract';
import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { consoleApi } from '../../api.ts';
import { confirmAction } from '../../components/confirm.tsx';
import { LoadingRows } from '../../components/loading-rows.tsx';
import { notifySaved } from '../../components/notify.ts';
import { PagedStack, usePages } from '../../components/paged-list.tsx';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';
import { invitationsKey, refreshTeam } from './team-query.ts';

export function Invitations() {
  const { app } = useApp();
  const query = usePages(invitationsKey(app.id), (...page) =>
    consoleApi.console.listInvitations(app.id, ...page),
  );
  return (
    <PagedStack
      query={query}
      loading={<LoadingRows rows={2} />}
      empty={<Text c="dimmed">There is no pending invitation.</Text>}
    >
      {(invitation) => <InvitationRow key={invitation.id} invitation={invitation} />}
    </PagedStack>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { app } = useApp();
  const name = invitation.email ?? 'Link from the command line';

  function confirmRevoke() {
    confirmAction({
      title: 'Revoke this invitation?',
      body: `${name}: the link can no longer be accepted. You can invite again.`,
      confirmLabel: 'Revoke invitation',
      run: async () => {
        await consoleApi.console.revokeInvitation(app.id, invitation.id);
        notifySaved('The invitation is revoked.');
        await refreshTeam();
      },
    });
  }

  return (
    <Paper withBorder p="md">
      <Group justify="space-between" gap="sm">
        <Stack gap={2} miw={0}>
          <Group gap="xs">
            <Text size="sm" fw={500}>
              {name}
            </Text>
            <Badge>{invitation.role}</Badge>
          </Group>
          <Text size="sm" c="dimmed" component="div">
            Sent <Time at={invitation.created_at} />, expires <Time at={invitation.expires_at} />
          </Text>
        </Stack>
        <Button variant="default" size="xs" onClick={confirmRevoke}>
          Revoke
        </Button>
      </Group>
    </Paper>
  );
}
