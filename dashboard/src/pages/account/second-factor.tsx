// The member's own second factor: an authenticator app and recovery codes.
import type { Factors } from '@foyer/contract';
import type { TotpEnrollment } from '@foyer/sdk';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { withCredentials } from '../../api.ts';
import { useApiForm } from '../../components/api-form.ts';
import { confirmAction } from '../../components/confirm.tsx';
import { DialogForm } from '../../components/dialog-form.tsx';
import { notifyProblem, notifySaved } from '../../components/notify.ts';
import { openDialog } from '../../components/open-dialog.ts';
import { QueryView } from '../../components/query-view.tsx';
import { RecoveryCodes } from '../../components/recovery-codes.tsx';
import { openUntilStored } from '../../components/shown-once.tsx';
import { Time } from '../../components/time.tsx';
import { TotpSecret } from '../../components/totp-secret.tsx';
import { meQuery } from '../../member.ts';
import { ownSecondFactor } from '../../own-second-factor.ts';
import { queryClient } from '../../query-client.ts';

const factorsKey = ['console', 'factors'];

async function refresh(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: factorsKey });
  await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
}

export function OwnSecondFactor() {
  const query = useQuery({
    queryKey: factorsKey,
    queryFn: ({ signal }) => withCredentials(() => ownSecondFactor.get({ signal })),
  });
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed" maw="65ch">
        With a second factor, signing in also requires a code from an authenticator app on your phone.
      </Text>
      <QueryView query={query}>{(factors) => <Loaded factors={factors} />}</QueryView>
    </Stack>
  );
}

function Loaded({ factors: { totp, recovery_codes_left: left } }: { factors: Factors }) {
  const beginning = useMutation({
    mutationFn: () => withCredentials(() => ownSecondFactor.beginTotp()),
    onSuccess: (enrollment) =>
      openDialog('Authenticator app', (close) => <Enroll enrollment={enrollment} onClose={close} />),
    onError: notifyProblem,
  });
  const begin = (
    <Button variant="default" loading={beginning.isPending} onClick={() => beginning.mutate()}>
      {totp ? 'Replace the app' : 'Set up an authenticator app'}
    </Button>
  );
  if (!totp) return <Group>{begin}</Group>;
  return (
    <>
      <Text size="sm" component="div">
        Authenticator app since <Time at={totp.enrolled_at} />. {left} recovery{' '}
        {left === 1 ? 'code' : 'codes'} left.
      </Text>
      <Group gap="sm">
        {begin}
        <Button variant="default" onClick={confirmNewCodes}>
          New recovery codes
        </Button>
        <Button variant="light" color="red" onClick={confirmRemove}>
          Remove the second factor
        </Button>
      </Group>
    </>
  );
}

function confirmNewCodes() {
  confirmAction({
    title: 'Replace the recovery codes?',
    body: 'The codes that you have no longer work.',
    confirmLabel: 'Replace codes',
    run: async () => {
      const { recovery_codes } = await withCredentials(() => ownSecondFactor.newRecoveryCodes());
      showCodes(recovery_codes);
      void refresh();
    },
  });
}

function confirmRemove() {
  confirmAction({
    title: 'Remove the second factor?',
    body: 'You can then sign in with your password alone. If the owners require a second factor, you must set up a new one when you next sign in.',
    confirmLabel: 'Remove the second factor',
    run: async () => {
      await withCredentials(() => ownSecondFactor.removeTotp());
      notifySaved('The second factor is removed.');
      await refresh();
    },
  });
}

function Enroll({ enrollment, onClose }: { enrollment: TotpEnrollment; onClose: () => void }) {
  const { form, ...submit } = useApiForm({
    initialValues: { code: '' },
    send: ({ code }) => withCredentials(() => ownSecondFactor.confirmTotp(code)),
    onSaved: ({ recovery_codes }) => {
      onClose();
      showCodes(recovery_codes);
      void refresh();
    },
  });
  return (
    <DialogForm {...submit} submitLabel="Confirm" onClose={onClose}>
      <TotpSecret enrollment={enrollment} />
      <TextInput
        label="Code that the app shows"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        data-autofocus
        {...form.getInputProps('code')}
      />
    </DialogForm>
  );
}

function showCodes(codes: readonly string[]): void {
  openUntilStored('Recovery codes', (close) => (
    <>
      <RecoveryCodes codes={codes} />
      <Group justify="flex-end">
        <Button onClick={close}>I have stored them</Button>
      </Group>
    </>
  ));
}
