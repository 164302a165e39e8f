// What a page shows in place of its content when the member's role does not include reading it.
import { LockIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { type RoleNeeds, roleNeeded, roleReason, useApp } from '../current-app.tsx';
import { EmptyState } from './empty-state.tsx';

type Props = { needs: RoleNeeds; children: ReactNode };

export function RoleRequired({ needs, children }: Props) {
  const { app, is } = useApp();
  const role = roleNeeded(needs);
  if (is(role)) return children;
  return (
    <EmptyState icon={LockIcon} title="Your role does not include this page">
      {roleReason(app, role)}
    </EmptyState>
  );
}
