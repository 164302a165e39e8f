// The files of a user.
import type { AdminUser } from '@foyer/contract';
import { Badge, Group, Stack, Table, Text } from '@mantine/core';
import { FileIcon } from 'lucide-react';
import { dataOf } from '../../api.ts';
import { bytesText } from '../../components/bytes.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { PagedList, usePages } from '../../components/paged-list.tsx';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';

export function Files({ user }: { user: AdminUser }) {
  const { app, api } = useApp();
  const query = usePages([app.id, 'user', user.uid, 'files'], (page, signal) =>
    dataOf(api.allFiles.list({ query: { owner_uid: user.uid, ...page }, fetchOptions: { signal } })),
  );
  return (
    <PagedList
      query={query}
      empty={
        <EmptyState icon={FileIcon} title="No files">
          Files that this user uploads in your app are listed here.
        </EmptyState>
      }
    >
      {(files) => (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>File</Table.Th>
              <Table.Th w={110}>Size</Table.Th>
              <Table.Th w={140} visibleFrom="sm">
                Uploaded
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {files.map((file) => (
              <Table.Tr key={file.id}>
                <Table.Td>
                  <Stack gap={2}>
                    <Group gap="xs">
                      <Text size="sm" fw={500}>
                        {file.name}
                      </Text>
                      {file.visibility === 'public' && <Badge>Public</Badge>}
                    </Group>
                    <Text size="sm" c="dimmed">
                      {file.content_type}
                    </Text>
                  </Stack>
                </Table.Td>
                <Table.Td>{bytesText(file.size)}</Table.Td>
                <Table.Td visibleFrom="sm">
                  <Time at={file.created_at} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </PagedList>
  );
}
