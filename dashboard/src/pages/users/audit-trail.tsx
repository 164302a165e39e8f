// The entries of the audit log that concern one user.
import type { AdminUser } from '@foyer/contract';
import { HistoryIcon } from 'lucide-react';
import { AuditTable } from '../../components/audit-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { usePages } from '../../components/paged-list.tsx';
import { useApp } from '../../current-app.tsx';

export function AuditTrail({ user }: { user: AdminUser }) {
  const { app, api } = useApp();
  const query = usePages(
    [app.id, 'user', user.uid, 'audit'],
    (page, options) => api.auditLog.list({ uid: user.uid, ...page }, options),
    // The member may have done something since.
    { staleTime: 0 },
  );
  return (
    <AuditTable
      query={query}
      name="audit trail"
      csv={{
        fileName: `${user.email} audit log`,
        readPage: (page, options) => api.auditLog.list({ uid: user.uid, ...page }, options),
      }}
      empty={
        <EmptyState icon={HistoryIcon} title="Nothing recorded">
          Sign-ins, changes of the account and refused attempts are listed here.
        </EmptyState>
      }
    />
  );
}
