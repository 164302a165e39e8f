// The files of a user.
import type { AdminUser } from '@foyer/contract';
import { Stack } from '@mantine/core';
import { FileIcon } from 'lucide-react';
import { EmptyState } from '../../components/empty-state.tsx';
import { fileColumns } from '../../components/file-columns.tsx';
import { usePages } from '../../components/paged-list.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { useApp } from '../../current-app.tsx';
import { DataExport } from './data-export.tsx';

export function Files({ user }: { user: AdminUser }) {
  const { app, api } = useApp();
  const query = usePages([app.id, 'user', user.uid, 'files'], (page, options) =>
    api.files.list({ owner_uid: user.uid, ...page }, options),
  );
  return (
    <Stack>
      <DataExport user={user} />
      <PagedTable
        query={query}
        empty={
          <EmptyState icon={FileIcon} title="No files">
            Files that this user uploads in your app are listed here.
          </EmptyState>
        }
        keyOf={({ id }) => id}
        columns={Object.values(fileColumns)}
      />
    </Stack>
  );
}
