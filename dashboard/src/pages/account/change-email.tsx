// A new email for the member: it takes effect once the code emailed to it is confirmed.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf, consoleApi, dataOf } from '../../api.ts';
import { useApiForm } from '../../components/api-form.ts';
import { notifySaved } from '../../components/notify.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
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
  const { form, saving, onSubmit } = useApiForm({
    initialValues: { email: '' },
    send: async ({ email }) => {
      const { headers } = await answerOf(consoleApi.profile.changeEmail({ body: { email } }));
      return { email, flow: headers.get('X-Code-Flow') ?? undefined };
    },
    onSaved: onMailed,
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <TextInput
          label="New email"
          type="email"
          autoComplete="email"
          required
          {...form.getInputProps('email')}
        />
        {saving.error && <ProblemAlert error={saving.error} shownFields={['email']} />}
        <Group>
          <Button type="submit" variant="default" loading={saving.isPending}>
            Mail a code
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function ConfirmCode({ mailed, onClose }: { mailed: Mailed; onClose: () => void }) {
  const { form, saving, onSubmit } = useApiForm({
    initialValues: { code: '' },
    send: ({ code }) =>
      dataOf(
        consoleApi.profile.confirmVerification({
          body: { code: code.trim() },
          // Exactly the code of this change is judged.
          extraHeaders: mailed.flow === undefined ? {} : { 'x-code-flow': mailed.flow },
        }),
      ),
    onSaved: (user) => {
      notifySaved(`Your email is now ${user.email}.`);
      onClose();
      void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <TextInput
          label={`Code emailed to ${mailed.email}`}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          autoFocus
          {...form.getInputProps('code')}
        />
        {saving.error && <ProblemAlert error={saving.error} shownFields={['code']} />}
        <Group>
          <Button type="submit" loading={saving.isPending}>
            Confirm
          </Button>
          <Button variant="subtle" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
