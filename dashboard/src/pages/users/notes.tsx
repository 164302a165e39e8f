// The notes of the team on a user.
import { type AdminUser, limits, type UserNote } from '@foyer/contract';
import { Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { StickyNoteIcon } from 'lucide-react';
import { useApiForm } from '../../components/api-form.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { notifySaved } from '../../components/notify.ts';
import { PagedStack, usePages } from '../../components/paged-list.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { Time } from '../../components/time.tsx';
import { useUnsavedChanges } from '../../components/unsaved-changes.tsx';
import { useApp } from '../../current-app.tsx';

export function Notes({ user }: { user: AdminUser }) {
  const { can } = useApp();
  const query = useNotes(user);
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
        {(note) => (
          <Paper key={note.id} withBorder p="md">
            <Note note={note} />
          </Paper>
        )}
      </PagedStack>
    </Stack>
  );
}

function Note({ note: { text, actor_name, created_at } }: { note: UserNote }) {
  return (
    <>
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Text>
      <Text size="sm" c="dimmed" mt={4} component="div">
        {actor_name ?? 'A former member or key'} · <Time at={created_at} />
      </Text>
    </>
  );
}

/** Above the tabs, for who would not look into the one of the notes. */
export function NewestNote({ user }: { user: AdminUser }) {
  const note = useNotes(user).data?.pages[0]?.items[0];
  if (!note) return null;
  return (
    <Paper withBorder p="md" mb="lg" component="section" aria-label="Newest note">
      <Note note={note} />
    </Paper>
  );
}

/** "Notes (2)"; with a plus if there are more than a page. */
export function useNotesLabel(user: AdminUser): string {
  const pages = useNotes(user).data?.pages ?? [];
  const count = pages.reduce((sum, { items }) => sum + items.length, 0);
  return count === 0 ? 'Notes' : `Notes (${count}${pages.at(-1)?.next_cursor ? '+' : ''})`;
}

function useNotes({ uid }: AdminUser) {
  const { app, api } = useApp();
  return usePages([app.id, 'user', uid, 'notes'], (...page) => api.support.notes(uid, ...page));
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
  useUnsavedChanges(form.isDirty());
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
