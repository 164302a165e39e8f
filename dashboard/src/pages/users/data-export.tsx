// The export of everything that is stored about a user, which becomes one of the user's files.
import type { AdminUser, UserExport } from '@foyer/contract';
import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { confirmAction } from '../../components/confirm.tsx';
import { LoadingRows } from '../../components/loading-rows.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { RoleButton } from '../../components/role-button.tsx';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';
import { queryClient } from '../../query-client.ts';

const pollMilliseconds = 2_000;

export function DataExport({ user }: { user: AdminUser }) {
  const { app, api } = useApp();
  const ofUser = [app.id, 'user', user.uid];
  const query = useQuery({
    queryKey: [...ofUser, 'export'],
    queryFn: ({ signal }) => api.users.export(user.uid, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? pollMilliseconds : false),
  });
  const fileId = query.data?.file_id;
  // The list below has the file once it is written.
  useEffect(() => {
    if (fileId) void queryClient.invalidateQueries({ queryKey: [app.id, 'user', user.uid, 'files'] });
  }, [fileId, app.id, user.uid]);

  function confirmExport() {
    confirmAction({
      title: 'Export the data of this user?',
      body:
        'Everything that is stored about the user becomes one of their files, for seven days. A mail tells the user when it is ' +
        'ready. An earlier export is deleted.',
      confirmLabel: 'Export data',
      destructive: false,
      run: async () => {
        await api.users.requestExport(user.uid);
        await queryClient.invalidateQueries({ queryKey: [...ofUser, 'export'] });
      },
    });
  }

  return (
    <Paper withBorder p="md">
      <Group justify="space-between" align="start">
        <Stack gap={4}>
          <Title order={2} size="h4">
            Data export
          </Title>
          <QueryView query={query} loading={<LoadingRows rows={1} height={20} />}>
            {(found) => <State found={found} />}
          </QueryView>
        </Stack>
        <RoleButton needs={{ scope: 'users:write' }} variant="default" onClick={confirmExport}>
          Export data
        </RoleButton>
      </Group>
    </Paper>
  );
}

function State({ found }: { found: UserExport }) {
  const { status, requested_at, expires_at } = found;
  return (
    <Text size="sm" c="dimmed" component="div">
      {status === 'pending' && 'The export is being written.'}
      {status === 'none' && 'A JSON file with everything that is stored about the user, for the user.'}
      {status === 'ready' && requested_at && expires_at && (
        <>
          Requested <Time at={requested_at} />. The file is in the list below, and is deleted{' '}
          <Time at={expires_at} />.
        </>
      )}
    </Text>
  );
}
