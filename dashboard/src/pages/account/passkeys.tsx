// The member's own passkeys: to sign in without a password.
import type { Passkey } from '@foyer/contract';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { KeyRoundIcon } from 'lucide-react';
import { deletion, withCredentials } from '../../api.ts';
import { useApiForm } from '../../components/api-form.ts';
import { confirmAction } from '../../components/confirm.tsx';
import { DialogForm } from '../../components/dialog-form.tsx';
import { notifyProblem, notifySaved } from '../../components/notify.ts';
import { openDialog } from '../../components/open-dialog.ts';
import { PagedStack, usePages } from '../../components/paged-list.tsx';
import { PasskeyRow } from '../../components/passkey-row.tsx';
import { arePasskeysOffered, ownPasskeys } from '../../own-passkeys.ts';
import { queryClient } from '../../query-client.ts';

const ownPasskeysKey = ['console', 'passkeys'];

const refresh = () => queryClient.invalidateQueries({ queryKey: ownPasskeysKey });

export function OwnPasskeys() {
  const query = usePages(ownPasskeysKey, (...page) =>
    withCredentials(async () => await ownPasskeys.list(...page)),
  );
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed" maw="65ch">
        Sign in with the fingerprint, face or PIN of a device, or with a security key. A passkey cannot be
        guessed, and does not work on a forged page.
      </Text>
      <PagedStack query={query} empty={<Text size="sm">You have no passkey.</Text>}>
        {(passkey) => <PasskeyRow key={passkey.id} passkey={passkey} actions={<Actions {...passkey} />} />}
      </PagedStack>
      {arePasskeysOffered() ? (
        <AddPasskey />
      ) : (
        <Text size="sm" c="dimmed">
          Passkeys can be added where the dashboard is opened at its public URL: with https, and with a host
          name, not an IP address.
        </Text>
      )}
    </Stack>
  );
}

function AddPasskey() {
  const adding = useMutation({
    mutationFn: () => withCredentials(() => ownPasskeys.register()),
    onSuccess: ({ name }) => notifySaved(`The passkey “${name}” is added.`),
    onError: notifyProblem,
    // A passkey whose answer was lost is listed too.
    onSettled: refresh,
  });
  return (
    <Group>
      <Button
        variant="default"
        leftSection={<KeyRoundIcon size={18} />}
        loading={adding.isPending}
        onClick={() => adding.mutate()}
      >
        Add a passkey
      </Button>
    </Group>
  );
}

function Actions({ id, name }: Passkey) {
  const openRename = () =>
    openDialog('Rename passkey', (close) => <Rename id={id} name={name} onClose={close} />);

  const confirmRemove = () =>
    confirmAction({
      title: 'Remove this passkey?',
      body: `You can no longer sign in with “${name}”. Sessions that it started continue; sign them out under Devices if the device is lost.`,
      confirmLabel: 'Remove passkey',
      run: async () => {
        await deletion(
          withCredentials(() => ownPasskeys.remove(id)),
          'auth/passkey-not-found',
        );
        notifySaved('The passkey is removed.');
        await refresh();
      },
    });

  return (
    <>
      <Button variant="default" size="xs" aria-label={`Rename passkey ${name}`} onClick={openRename}>
        Rename
      </Button>
      <Button variant="default" size="xs" aria-label={`Remove passkey ${name}`} onClick={confirmRemove}>
        Remove
      </Button>
    </>
  );
}

type RenameProps = Pick<Passkey, 'id' | 'name'> & { onClose: () => void };

function Rename({ id, name, onClose }: RenameProps) {
  const { form, ...submit } = useApiForm({
    initialValues: { name },
    send: (values) => withCredentials(() => ownPasskeys.rename(id, values.name)),
    onSaved: () => {
      onClose();
      void refresh();
    },
  });
  return (
    <DialogForm {...submit} submitLabel="Rename" onClose={onClose}>
      <TextInput
        label="Name"
        description="Your password manager keeps its own name."
        required
        data-autofocus
        {...form.getInputProps('name')}
      />
    </DialogForm>
  );
}
