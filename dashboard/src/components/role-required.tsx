// What a page shows in place of its content when the member's role does not include reading it.
import { type Role, roleOfScope, type SecretKeyScope } from '@foyer/contract';
import { LockIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { roleReason, useApp } from '../current-app.tsx';
import { EmptyState } from './empty-state.tsx';

type Props = { needs: { scope: SecretKeyScope } | { role: Role }; children: ReactNode };

export function RoleRequired({ needs, children }: Props) {
  const { app, is } = useApp();
  const role = 'scope' in needs ? roleOfScope(needs.scope) : needs.role;
  if (is(role)) return children;
  return (
    <EmptyState icon={LockIcon} title="Your role does not include this page">
      {roleReason(app, role)}
    </EmptyState>
  );
}
