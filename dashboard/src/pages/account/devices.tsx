// The devices on which the member is signed in.
import type { Session } from '@foyer/contract';
import { Button, Group, Stack } from '@mantine/core';
import { consoleApi, deletion } from '../../api.ts';
import { confirmAction } from '../../components/confirm.tsx';
import { notifySaved } from '../../components/notify.ts';
import { PagedStack, usePages } from '../../components/paged-list.tsx';
import { deviceName, SessionRow } from '../../components/session-row.tsx';
import { useSignOut } from '../../components/use-sign-out.ts';
import { queryClient } from '../../query-client.ts';
import { ownSessionsKey } from './own-sessions.ts';

export function OwnDevices() {
  const query = usePages(ownSessionsKey, (...page) => consoleApi.sessions.list(...page));
  const signOut = useSignOut();
  return (
    <Stack gap="sm">
      <PagedStack query={query} empty={null}>
        {(session) => (
          <SessionRow
            key={session.id}
            session={session}
            action={
              <Button
                variant="default"
                size="xs"
                onClick={() => (session.current ? void signOut() : confirmEnd(session))}
              >
                Sign out
              </Button>
            }
          />
        )}
      </PagedStack>
      <Group>
        <Button
          variant="light"
          color="red"
          onClick={() =>
            confirmAction({
              title: 'Sign out everywhere?',
              body: 'You are signed out on every device at once, this one included.',
              confirmLabel: 'Sign out everywhere',
              run: () => signOut({ everywhere: true }),
            })
          }
        >
          Sign out everywhere
        </Button>
      </Group>
    </Stack>
  );
}

function confirmEnd(session: Session) {
  confirmAction({
    title: 'Sign out this device?',
    body: `${deviceName(session)} is signed out at once.`,
    confirmLabel: 'Sign out device',
    run: async () => {
      await deletion(consoleApi.sessions.end(session.id), 'auth/session-not-found');
      notifySaved('The device is signed out.');
      await queryClient.invalidateQueries({ queryKey: ownSessionsKey });
    },
  });
}
