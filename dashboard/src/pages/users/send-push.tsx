// Sends one message to the selected users.
import { limits } from '@foyer/contract';
import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { notifySaved } from '../../components/notify.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { useLateProblem } from '../../components/use-late-problem.ts';
import type { Selection } from './run-dialog.tsx';

export function SendPush({ current, users, select, onClose }: Selection & { onClose: () => void }) {
  const [title, setTitle] = useState('');
  const [body, setBody] = useState('');
  const reportLate = useLateProblem();
  const sending = useMutation({
    mutationFn: () =>
      current.api.push.send({ uids: users.map(({ uid }) => uid), notification: { title, body } }),
    onSuccess: () => {
      notifySaved('The message is being sent.');
      select([]);
      onClose();
    },
    onError: (error) => reportLate(error),
  });
  const isTooMany = users.length > limits.pushTargets;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sending.mutate();
      }}
    >
      <Stack>
        {isTooMany && (
          <Text size="sm" c="red">
            A message has at most {limits.pushTargets.toLocaleString()} users. Select fewer.
          </Text>
        )}
        <TextInput
          label="Title"
          required
          maxLength={limits.maxPushTitleCharacters}
          data-autofocus
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <Textarea
          label="Text"
          required
          maxLength={limits.maxPushBodyCharacters}
          autosize
          minRows={2}
          value={body}
          onChange={(event) => setBody(event.currentTarget.value)}
        />
        {sending.error && <ProblemAlert error={sending.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            disabled={isTooMany || title.trim() === '' || body.trim() === ''}
            loading={sending.isPending}
          >
            Send message
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
