// The dialog of a change of several users: what happens, how far it is, and for whom it failed.
import type { AdminUser } from '@foyer/contract';
import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { type ReactNode, useSyncExternalStore } from 'react';
import { problemOf } from '../../api-problem.ts';
import { openDialog } from '../../components/open-dialog.ts';
import { useUnsavedChanges } from '../../components/unsaved-changes.tsx';
import type { CurrentApp } from '../../current-app.tsx';
import { refreshChangedUsers } from './user-query.ts';
import { createUserRun, type UserRun } from './user-run.ts';

export type Selection = {
  current: CurrentApp;
  users: AdminUser[];
  /** Called with the users that remain selected. */
  select: (users: AdminUser[]) => void;
};

/** What the content of the dialog gives to `RunForm`. */
export type RunProps = Selection & { run: UserRun<AdminUser>; close: () => void; lock: () => void };

export function openRun(title: string, selection: Selection, content: (props: RunProps) => ReactNode): void {
  const run = createUserRun(selection.users);
  openDialog(title, (close, lock) => content({ ...selection, run, close, lock }), { onClose: run.stop });
}

type Props = RunProps & {
  /** A verb: `Disable 2 users`. */
  confirmLabel: string;
  destructive?: boolean;
  /** Null while an input is missing. */
  change: ((user: AdminUser) => Promise<unknown>) | null;
  children: ReactNode;
};

export function RunForm(props: Props) {
  const {
    current,
    users,
    select,
    run,
    close,
    lock,
    confirmLabel,
    destructive = false,
    change,
    children,
  } = props;
  const { state, done, failed } = useSyncExternalStore(run.subscribe, run.outcome);
  useUnsavedChanges(state === 'running');

  async function start(each: (user: AdminUser) => Promise<unknown>) {
    // Closed while it runs, it could be opened again for the same users.
    lock();
    select(await run.start(each));
    refreshChangedUsers(current);
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (change && state === 'ready') void start(change);
      }}
    >
      <Stack>
        <fieldset disabled={state !== 'ready'} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
          <Stack>{children}</Stack>
        </fieldset>
        {state !== 'ready' && (
          <>
            <Progress value={(100 * done) / users.length} aria-label="Progress" />
            <Text size="sm" role="status">
              {done} of {users.length}
              {failed.length > 0 && `, ${failed.length} failed and remain selected`}
            </Text>
          </>
        )}
        {failed.map(({ user, error }) => (
          <Text size="sm" key={user.uid}>
            <b>{user.email}</b> {problemOf(error).message}
          </Text>
        ))}
        <Group justify="flex-end">
          {state === 'ready' && (
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
          )}
          {state === 'finished' ? (
            <Button onClick={close}>Close</Button>
          ) : (
            <Button
              type="submit"
              {...(destructive && { color: 'red' })}
              loading={state === 'running'}
              disabled={!change}
            >
              {confirmLabel}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
