// The providers that a user has linked.
import type { AdminUser } from '@foyer/contract';
import { Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LinkIcon } from 'lucide-react';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadingRows } from '../../components/loading-rows.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';
import { useProviderNames } from '../../provider-names.ts';

export function Identities({ user }: { user: AdminUser }) {
  const { app, api } = useApp();
  const names = useProviderNames();
  const query = useQuery({
    queryKey: [app.id, 'user', user.uid, 'identities'],
    queryFn: ({ signal }) => api.users.identities(user.uid, {}, { signal }),
  });
  return (
    <QueryView query={query} loading={<LoadingRows rows={2} height={64} />}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState icon={LinkIcon} title="No linked provider">
            Users link a provider by signing in with it, or in your app.
          </EmptyState>
        ) : (
          <Stack gap="sm">
            {items.map(({ provider, email, linked_at }) => (
              <Paper key={provider} withBorder p="md">
                <Text fw={500}>{names.get(provider) ?? provider}</Text>
                <Text size="sm" c="dimmed" component="div">
                  {email ?? 'No email from the provider'} · linked <Time at={linked_at} />
                </Text>
              </Paper>
            ))}
          </Stack>
        )
      }
    </QueryView>
  );
}
