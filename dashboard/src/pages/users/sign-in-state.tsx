// What keeps a user from signing in now, the latest attempts, and what support does about it.
import type { AdminUser, AuditEntry, SignInState as State } from '@foyer/contract';
import { Alert, Button, Group, Menu, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CircleAlertIcon, CircleCheckIcon, MailIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { actorText } from '../../components/audit-words.ts';
import { LoadingRows } from '../../components/loading-rows.tsx';
import { notifySaved } from '../../components/notify.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { durationText } from '../../components/quantities.ts';
import { QueryView } from '../../components/query-view.tsx';
import { RefusedButton } from '../../components/refused-button.tsx';
import { RoleButton } from '../../components/role-button.tsx';
import { signInMethods } from '../../components/sign-in-methods.ts';
import { failureWords, limitWords, refusedTokenWords } from '../../components/sign-in-words.ts';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';
import { roleMay } from '../../role-needs.ts';
import { refreshUser, signInStateKey } from './user-query.ts';

const needs = { scope: 'users:support' } as const;

export function SignInState({ user }: { user: AdminUser }) {
  const current = useApp();
  const query = useQuery({
    queryKey: signInStateKey(current, user.uid),
    queryFn: ({ signal }) => current.api.support.signInState(user.uid, { signal }),
    staleTime: 0,
  });
  return (
    <Paper withBorder p="md" mb="lg">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          Signing in
        </Title>
        <SendCode user={user} />
      </Group>
      <QueryView query={query} loading={<LoadingRows rows={2} height={24} />}>
        {(state) => <Loaded user={user} state={state} />}
      </QueryView>
    </Paper>
  );
}

function Loaded({ user, state }: { user: AdminUser; state: State }) {
  const { limits, disabled_by: disabledBy, last_success: success, last_failure: failure } = state;
  return (
    <Stack gap="xs">
      {user.disabled && (
        <Problem>
          Disabled
          {disabledBy && (
            <>
              {' '}
              by {actorText(disabledBy)} <Time at={disabledBy.created_at} />
            </>
          )}
          : every way to sign in is refused.
        </Problem>
      )}
      {limits.length > 0 && <Limits user={user} limits={limits} />}
      {!user.email_verified && <Problem color="gray">The email is not verified.</Problem>}
      {!user.disabled && limits.length === 0 && (
        <Group gap="xs" wrap="nowrap">
          <CircleCheckIcon size={18} color="var(--mantine-color-green-7)" />
          <Text size="sm">Nothing keeps this user from signing in.</Text>
        </Group>
      )}
      <Attempt name="Last sign-in" entry={success} never="None on record">
        {success && methodOf(success)}
      </Attempt>
      <Attempt name="Last refusal" entry={failure} never="None on record">
        {failure && failureWords(failure)}
      </Attempt>
      {state.failures > 1 && (
        <Text size="sm">
          {state.failures.toLocaleString()} refusals since the last sign-in. A sign-in code needs no password.
        </Text>
      )}
      {state.refused_tokens.map((entry) => (
        <Attempt key={entry.id} name="Refused token" entry={entry} never="">
          {refusedTokenWords(entry)} (from a network of this user)
        </Attempt>
      ))}
    </Stack>
  );
}

function methodOf({ action, details }: AuditEntry): string {
  const method = signInMethods[details.method as keyof typeof signInMethods] ?? 'Signed in';
  return action === 'user.signed_up' ? `${method}, with the sign-up` : method;
}

function Problem({ color = 'red', children }: { color?: string; children: ReactNode }) {
  return (
    <Alert color={color} icon={<CircleAlertIcon />} p="xs">
      {children}
    </Alert>
  );
}

type AttemptProps = { name: string; entry: AuditEntry | null; never: string; children: ReactNode };

function Attempt({ name, entry, never, children }: AttemptProps) {
  return (
    <Group gap="sm" align="baseline">
      <Text size="sm" c="dimmed" w={110}>
        {name}
      </Text>
      <Text size="sm" component="div" flex="1 1 14rem" miw={0}>
        {entry === null ? (
          never
        ) : (
          <>
            {children} · <Time at={entry.created_at} />
            {entry.ip_address && ` · ${entry.ip_address}`}
          </>
        )}
      </Text>
    </Group>
  );
}

function Limits({ user, limits }: { user: AdminUser; limits: State['limits'] }) {
  const current = useApp();
  const lifting = useMutation({
    mutationFn: () => current.api.support.liftLimits(user.uid),
    onSuccess: () => {
      notifySaved('The limits are lifted. The user can try again at once.');
      return refreshUser(current, user.uid);
    },
  });
  return (
    <Problem>
      <Group justify="space-between" gap="sm">
        <Stack gap={4} flex="1 1 14rem" miw={0}>
          {limits.map(({ policy, ip_address, until }) => (
            <div key={`${policy} ${ip_address}`}>
              {limitWords(policy)}
              {ip_address && ` (${ip_address})`}. It ends <Time at={until} />.
            </div>
          ))}
        </Stack>
        <RoleButton needs={needs} size="xs" loading={lifting.isPending} onClick={() => lifting.mutate()}>
          Lift limits
        </RoleButton>
      </Group>
      {lifting.error && <ProblemAlert error={lifting.error} />}
    </Problem>
  );
}

const mails = {
  sign_in: { label: 'Sign-in code', sent: 'A sign-in code' },
  reset: { label: 'Password reset', sent: 'A code to reset the password' },
  verification: { label: 'Verification of the email', sent: 'A code to verify the email' },
} as const;

function SendCode({ user }: { user: AdminUser }) {
  const current = useApp();
  const sending = useMutation({
    mutationFn: (purpose: keyof typeof mails) => current.api.support.sendCode(user.uid, purpose),
    onSuccess: ({ expires_in }, purpose) => {
      const valid = `It is valid for ${durationText(expires_in)}.`;
      notifySaved(`${mails[purpose].sent} is on its way to ${user.email}. ${valid}`);
      return refreshUser(current, user.uid);
    },
  });
  const look = { size: 'xs', variant: 'default', leftSection: <MailIcon size={16} /> } as const;
  if (!roleMay(current.app.role, needs)) {
    return (
      <RoleButton needs={needs} {...look}>
        Send a mail
      </RoleButton>
    );
  }
  if (user.disabled) {
    return (
      <RefusedButton reason="A disabled user is sent no code. Enable the user first." {...look}>
        Send a mail
      </RefusedButton>
    );
  }
  return (
    <Stack gap="xs" align="flex-end">
      <Menu position="bottom-end">
        <Menu.Target>
          <Button {...look} loading={sending.isPending}>
            Send a mail
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(Object.keys(mails) as (keyof typeof mails)[])
            .filter((purpose) => purpose !== 'verification' || !user.email_verified)
            .map((purpose) => (
              <Menu.Item key={purpose} onClick={() => sending.mutate(purpose)}>
                {mails[purpose].label}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
      {sending.error && <ProblemAlert error={sending.error} />}
    </Stack>
  );
}
