// The frame of pages about the owners of the service, who are the members of its reserved app `console`.
import { useQuery } from '@tanstack/react-query';
import { LockIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { AppProvider } from '../current-app.tsx';
import { appQuery, useMe } from '../member.ts';
import { EmptyState } from './empty-state.tsx';
import { PageHeader } from './page-header.tsx';
import { QueryView } from './query-view.tsx';

export function OwnersOnly({ title, children }: { title: string; children: ReactNode }) {
  const { owner, console_app_id } = useMe();
  const query = useQuery({ ...appQuery(console_app_id), enabled: owner });
  if (!owner) {
    return (
      <>
        <PageHeader title={title} />
        <EmptyState icon={LockIcon} title="Only owners of the service see this page">
          An owner can invite you.
        </EmptyState>
      </>
    );
  }
  return (
    <QueryView query={query} title={title}>
      {(app) => <AppProvider app={app}>{children}</AppProvider>}
    </QueryView>
  );
}
