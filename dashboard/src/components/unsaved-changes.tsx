// Asks before a form with unsaved changes is left: within the dashboard, by signing out, or by closing the page.
import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { type RouterHistory, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { client } from '../client.ts';
import { useMe } from '../member.ts';

let unsavedForms = 0;
let unblock = () => {};
/** The dialog that is open. */
let question: Promise<boolean> | null = null;

export function useUnsavedChanges(unsaved: boolean): void {
  const { user } = useMe();
  const { history } = useRouter();
  useEffect(() => {
    if (!unsaved) return;
    unsavedForms += 1;
    if (unsavedForms === 1) unblock = blockNavigation(history, user.uid);
    return () => {
      unsavedForms -= 1;
      if (unsavedForms === 0) unblock();
    };
  }, [unsaved, history, user.uid]);
}

/** Asks if a form has unsaved changes. */
export function mayLeave(): Promise<boolean> {
  if (unsavedForms === 0) return Promise.resolve(true);
  question ??= askToLeave().finally(() => {
    question = null;
  });
  return question;
}

function blockNavigation(history: RouterHistory, uid: string): () => void {
  return history.block({
    blockerFn: async ({ action, currentLocation, nextLocation }) => {
      if (action === 'PUSH' || action === 'REPLACE') return !(await mayLeave());
      // Back and Forward have changed the address already. It is restored at once, and not after the answer: the router
      // counts from the address of this page, and a second Back would come from another.
      const distance = nextLocation.state.__TSR_index - currentLocation.state.__TSR_index;
      if (!question) {
        void mayLeave().then((leave) => leave && history.go(distance, { ignoreBlocker: true }));
      }
      return true;
    },
    // A page that is left because another member signed in must not stay open.
    enableBeforeUnload: () => client.auth.state.status !== 'signedIn' || client.auth.state.uid === uid,
  });
}

function askToLeave(): Promise<boolean> {
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
