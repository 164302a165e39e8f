// The notes of the team on a user.
import { type AdminUser, limits } from '@foyer/contract';
import { Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { StickyNoteIcon } from 'lucide-react';
import { useApiForm } from '../../components/api-form.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { notifySaved } from '../../components/notify.ts';
import { PagedStack, usePages } from '../../components/paged-list.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';

export function Notes({ user }: { user: AdminUser }) {
  const { app, api, can } = useApp();
  const query = usePages([app.id, 'user', user.uid, 'notes'], (...page) =>
    api.support.notes(user.uid, ...page),
  );
  return (
    <Stack maw={720}>
      {can('users:support') && <AddNote user={user} />}
      <PagedStack
        query={query}
        empty={
          <EmptyState icon={StickyNoteIcon} title="No notes">
            What the team should know about this user. The user never sees it, and a note cannot be changed.
          </EmptyState>
        }
      >
        {({ id, text, actor_name, created_at }) => (
          <Paper key={id} withBorder p="md">
            <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {text}
            </Text>
            <Text size="sm" c="dimmed" mt={4} component="div">
              {actor_name ?? 'A former member or key'} · <Time at={created_at} />
            </Text>
          </Paper>
        )}
      </PagedStack>
    </Stack>
  );
}

function AddNote({ user }: { user: AdminUser }) {
  const { app, api } = useApp();
  const queryClient = useQueryClient();
  const { form, onSubmit, saving } = useApiForm({
    initialValues: { text: '' },
    validate: { text: (text: string) => (text.trim() === '' ? 'Write the note first.' : null) },
    send: ({ text }) => api.support.addNote(user.uid, text),
    onSaved: () => {
      form.reset();
      notifySaved('The note is added.');
      void queryClient.invalidateQueries({ queryKey: [app.id, 'user', user.uid, 'notes'] });
    },
  });
  return (
    <form onSubmit={onSubmit}>
      <Textarea
        label="New note"
        autosize
        minRows={2}
        maxLength={limits.userNoteCharacters}
        {...form.getInputProps('text')}
      />
      {saving.error && <ProblemAlert error={saving.error} shownFields={['text']} />}
      <Group justify="flex-end" mt="xs">
        <Button type="submit" loading={saving.isPending}>
          Add note
        </Button>
      </Group>
    </form>
  );
}
