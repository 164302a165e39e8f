// The audit log of an app, and that of the team accounts: who did what, when and from where.
import { limits } from '@foyer/contract';
import { getRouteApi } from '@tanstack/react-router';
import { HistoryIcon } from 'lucide-react';
import { type Api, consoleApi } from '../../api.ts';
import type { AuditSearch } from '../../components/audit-search.ts';
import { AuditTable } from '../../components/audit-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { OwnersOnly } from '../../components/owners-only.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { usePages } from '../../components/paged-list.tsx';
import { useApp } from '../../current-app.tsx';
import { queryOf } from '../../search-params.ts';
import { AuditFilters } from './audit-filters.tsx';

const ofApp = getRouteApi('/member/apps/$appId/audit-log');
const ofTeam = getRouteApi('/member/owners/audit-log');

export function AuditLogPage() {
  const { api } = useApp();
  const navigate = ofApp.useNavigate();
  return (
    <>
      <PageHeader
        title="Audit log"
        description={`Every change by the team and its keys, and every security event, for ${limits.auditDays} days unless the operator has set another time.`}
      />
      <AuditLog
        search={ofApp.useSearch()}
        onSearch={(search) => void navigate({ search, replace: true })}
        list={api.auditLog.list}
        appears="Sign-ins of users and changes by the team appear here."
      />
    </>
  );
}

export function TeamAuditLogPage() {
  const search = ofTeam.useSearch();
  const navigate = ofTeam.useNavigate();
  return (
    <OwnersOnly title="Audit log of team accounts">
      <PageHeader
        title="Audit log of team accounts"
        description="Sign-ins and security events of the team, and changes of the owners. What members do in an app, and changes of its team, are in the audit log of the app."
      />
      <AuditLog
        search={search}
        onSearch={(search) => void navigate({ search, replace: true })}
        list={consoleApi.console.listAuditLog}
        appears="Sign-ins of team members and changes by owners appear here."
      />
    </OwnersOnly>
  );
}

type Props = {
  search: AuditSearch;
  onSearch: (change: (before: AuditSearch) => AuditSearch) => void;
  list: Api['auditLog']['list'];
  /** What will appear in the log while it is empty. */
  appears: string;
};

function AuditLog({ search, onSearch, list, appears }: Props) {
  const { app } = useApp();
  const query = usePages(
    [app.id, 'audit-log', search],
    (page, options) => list({ ...queryOf(search), ...page }, options),
    // The member may have done something since.
    { staleTime: 0 },
  );
  const filtered = Object.values(search).some((value) => value !== undefined);
  return (
    <>
      <AuditFilters search={search} onSearch={onSearch} />
      <AuditTable
        query={query}
        name="audit log"
        csv={{
          fileName: `${app.name} audit log`,
          readPage: (page, options) => list({ ...queryOf(search), ...page }, options),
        }}
        empty={
          filtered ? (
            <EmptyState icon={HistoryIcon} title="No entry matches" />
          ) : (
            <EmptyState icon={HistoryIcon} title="Nothing has happened yet">
              {appears}
            </EmptyState>
          )
        }
      />
    </>
  );
}
