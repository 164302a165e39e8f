// The entries of the audit log that concern one user.
import type { AdminUser } from '@foyer/contract';
import { HistoryIcon } from 'lucide-react';
import { AuditEntries } from '../../components/audit-entries.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { PagedList, usePages } from '../../components/paged-list.tsx';
import { useApp } from '../../current-app.tsx';

export function AuditTrail({ user }: { user: AdminUser }) {
  const { app, api } = useApp();
  const query = usePages(
    [app.id, 'user', user.uid, 'audit'],
    (page) => api.audit.list({ ...page, query: { uid: user.uid, ...page.query } }),
    // The member may have done something since.
    { staleTime: 0 },
  );
  return (
    <PagedList
      query={query}
      empty={
        <EmptyState icon={HistoryIcon} title="Nothing recorded">
          Sign-ins, changes of the account and refused attempts are listed here.
        </EmptyState>
      }
    >
      {(entries) => <AuditEntries entries={entries} />}
    </PagedList>
  );
}
