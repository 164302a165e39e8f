// A new email for the member: it takes effect once the code emailed to it is confirmed.
import { Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { consoleApi, requestConsole } from '../../api.ts';
import { useApiForm } from '../../components/api-form.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { notifySaved } from '../../components/notify.ts';
import { PageForm } from '../../components/page-form.tsx';
import { meQuery, useMe } from '../../member.ts';
import { queryClient } from '../../query-client.ts';

type Mailed = { email: string; flow: string | undefined };

export function ChangeEmail() {
  const { user } = useMe();
  const [mailed, setMailed] = useState<Mailed | null>(null);
  return (
    <Stack>
      <Text size="sm">
        {user.email}
        {!user.email_verified && ' (not verified)'}
      </Text>
      {mailed ? (
        <ConfirmCode mailed={mailed} onClose={() => setMailed(null)} />
      ) : (
        <NewEmail onMailed={setMailed} />
      )}
    </Stack>
  );
}

function NewEmail({ onMailed }: { onMailed: (mailed: Mailed) => void }) {
  const { form, ...submit } = useApiForm({
    initialValues: { email: '' },
    send: async ({ email }) => {
      const { headers } = await requestConsole({ route: 'POST /me/email' }, { body: { email } }, {});
      return { email, flow: headers.get('X-Code-Flow') ?? undefined };
    },
    onSaved: onMailed,
  });
  return (
    <PageForm {...submit} submitLabel="Mail a code" variant="default">
      <TextInput
        label="New email"
        type="email"
        autoComplete="email"
        required
        {...form.getInputProps('email')}
      />
    </PageForm>
  );
}

function ConfirmCode({ mailed, onClose }: { mailed: Mailed; onClose: () => void }) {
  const { form, ...submit } = useApiForm({
    initialValues: { code: '' },
    send: ({ code }) =>
      consoleApi.profile.confirmVerification(
        { code: code.trim() },
        // Exactly the code of this change is judged.
        { headers: mailed.flow === undefined ? {} : { 'x-code-flow': mailed.flow } },
      ),
    onSaved: (user) => {
      notifySaved(`Your email is now ${user.email}.`);
      onClose();
      void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  return (
    <DialogForm {...submit} submitLabel="Confirm" onClose={onClose}>
      <TextInput
        label={`Code emailed to ${mailed.email}`}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        autoFocus
        {...form.getInputProps('code')}
      />
    </DialogForm>
  );
}
