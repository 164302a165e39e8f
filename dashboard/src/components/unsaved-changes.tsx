// Asks before a form with unsaved changes is left: within the dashboard, by signing out, or by closing the page.
import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { client } from '../client.ts';
import { useMe } from '../member.ts';

let unsavedForms = 0;

export function useUnsavedChanges(unsaved: boolean): void {
  const { user } = useMe();
  useEffect(() => {
    if (!unsaved) return;
    unsavedForms += 1;
    return () => {
      unsavedForms -= 1;
    };
  }, [unsaved]);
  useBlocker({
    shouldBlockFn: async () => !(await mayLeave()),
    // A page that is left because another member signed in must not stay open.
    enableBeforeUnload: () => client.auth.state.status !== 'signedIn' || client.auth.state.uid === user.uid,
    disabled: !unsaved,
  });
}

/** Asks if a form has unsaved changes. */
export function mayLeave(): Promise<boolean> {
  if (unsavedForms === 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title: 'Leave without saving?',
      children: <Text size="sm">The changes that you have not saved are lost.</Text>,
      labels: { confirm: 'Leave', cancel: 'Stay' },
      confirmProps: { color: 'red' },
      onConfirm: () => resolve(true),
      onClose: () => resolve(false),
    });
  });
}
