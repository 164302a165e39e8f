// The passkeys and the second factor of a user, to help one who has lost a device.
import type { AdminUser, Passkey } from '@foyer/contract';
import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { KeyRoundIcon } from 'lucide-react';
import { deletion } from '../../api.ts';
import { confirmAction } from '../../components/confirm.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadingRows } from '../../components/loading-rows.tsx';
import { notifySaved } from '../../components/notify.ts';
import { PagedStack, usePages } from '../../components/paged-list.tsx';
import { PasskeyRow } from '../../components/passkey-row.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { RoleButton } from '../../components/role-button.tsx';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';
import { refreshUser } from './user-query.ts';

export function Security({ user }: { user: AdminUser }) {
  return (
    <Stack gap="lg">
      <Stack gap="sm" component="section" aria-label="Passkeys">
        <Title order={2} size="h4">
          Passkeys
        </Title>
        <Passkeys user={user} />
      </Stack>
      <Stack gap="sm" component="section" aria-label="Second factor">
        <Title order={2} size="h4">
          Second factor
        </Title>
        <SecondFactor user={user} />
      </Stack>
    </Stack>
  );
}

function SecondFactor({ user }: { user: AdminUser }) {
  const current = useApp();
  const { app, api } = current;
  const query = useQuery({
    queryKey: [app.id, 'user', user.uid, 'factors'],
    queryFn: ({ signal }) => api.users.factors(user.uid, { signal }),
    enabled: user.second_factor,
  });
  if (!user.second_factor) return <Text size="sm">This user has no authenticator app.</Text>;
  return (
    <>
      <QueryView query={query} loading={<LoadingRows rows={1} height={24} />}>
        {({ totp, recovery_codes_left }) =>
          totp && (
            <Text size="sm">
              An authenticator app was enrolled <Time at={totp.enrolled_at} />; {recovery_codes_left} recovery
              codes are left.
            </Text>
          )
        }
      </QueryView>
      <Group>
        <RoleButton
          needs={{ scope: 'users:write' }}
          variant="light"
          color="red"
          onClick={() =>
            confirmAction({
              title: 'Remove the second factor?',
              body: 'Do this only for a user who has lost both the authenticator app and the recovery codes, after you have verified the identity of the person who asks. All sessions of the user end, and the user is notified by email. Passkeys remain.',
              confirmLabel: 'Remove the second factor',
              run: async () => {
                await deletion(current.api.users.removeFactors(user.uid), 'auth/second-factor-not-enrolled');
                await refreshUser(current, user.uid);
                notifySaved('The second factor is removed.');
              },
            })
          }
        >
          Remove the second factor
        </RoleButton>
      </Group>
    </>
  );
}

function Passkeys({ user }: { user: AdminUser }) {
  const current = useApp();
  const { app, api } = current;
  const query = usePages([app.id, 'user', user.uid, 'passkeys'], (...page) =>
    api.users.passkeys(user.uid, ...page),
  );

  function confirmRemove({ id, name }: Passkey) {
    confirmAction({
      title: 'Remove this passkey?',
      body: `The passkey “${name}” no longer signs in, and the user is notified by email. Sessions that were started with it continue; if the device is lost, end them under Devices.`,
      confirmLabel: 'Remove passkey',
      run: async () => {
        await deletion(api.users.removePasskey(user.uid, id), 'auth/passkey-not-found');
        await refreshUser(current, user.uid);
        notifySaved('The passkey is removed.');
      },
    });
  }

  return (
    <PagedStack
      query={query}
      empty={
        <EmptyState icon={KeyRoundIcon} title="No passkey">
          Users add passkeys in your app.
          {current.can('settings:manage') && ' Turn passkeys on in Settings → Passkeys.'}
        </EmptyState>
      }
    >
      {(passkey) => (
        <PasskeyRow
          key={passkey.id}
          passkey={passkey}
          actions={
            <RoleButton
              needs={{ scope: 'users:write' }}
              variant="default"
              size="xs"
              aria-label={`Remove passkey ${passkey.name}`}
              onClick={() => confirmRemove(passkey)}
            >
              Remove
            </RoleButton>
          }
        />
      )}
    </PagedStack>
  );
}
