// What a page shows in place of its content when the member's role does not include reading it.
import { LockIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { RoleNeeds } from '../role-needs.ts';
import { EmptyState } from './empty-state.tsx';
import { useRoleReason } from './role-reason.ts';

type Props = { needs: RoleNeeds; children: ReactNode };

export function RoleRequired({ needs, children }: Props) {
  const reason = useRoleReason(needs);
  if (reason === null) return children;
  return (
    <EmptyState icon={LockIcon} title="Your role does not include this page">
      {reason}
    </EmptyState>
  );
}
