// The sessions of a user, as the list of devices.
import type { AdminUser } from '@foyer/contract';
import { MonitorSmartphoneIcon } from 'lucide-react';
import { deletion } from '../../api.ts';
import { confirmAction } from '../../components/confirm.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { notifySaved } from '../../components/notify.ts';
import { PagedStack, usePages } from '../../components/paged-list.tsx';
import { RoleButton } from '../../components/role-button.tsx';
import { deviceName, SessionRow } from '../../components/session-row.tsx';
import { useApp } from '../../current-app.tsx';
import { refreshUser } from './user-query.ts';

export function Devices({ user }: { user: AdminUser }) {
  const current = useApp();
  const { app, api } = current;
  const query = usePages([app.id, 'user', user.uid, 'sessions'], (...page) =>
    api.users.sessions(user.uid, ...page),
  );
  return (
    <PagedStack
      query={query}
      empty={
        <EmptyState icon={MonitorSmartphoneIcon} title="Signed in nowhere">
          Each device on which this user is signed in appears here.
        </EmptyState>
      }
    >
      {(session) => (
        <SessionRow
          key={session.id}
          session={session}
          action={
            <RoleButton
              needs={{ scope: 'users:support' }}
              variant="default"
              size="xs"
              aria-label={`End session on ${deviceName(session)}`}
              onClick={() =>
                confirmAction({
                  title: 'End this session?',
                  body: `The user is signed out on ${deviceName(session)} at once, and can sign in again.`,
                  confirmLabel: 'End session',
                  run: async () => {
                    await deletion(api.users.endSession(user.uid, session.id), 'auth/session-not-found');
                    await refreshUser(current, user.uid);
                    notifySaved('The session has ended.');
                  },
                })
              }
            >
              End session
            </RoleButton>
          }
        />
      )}
    </PagedStack>
  );
}
