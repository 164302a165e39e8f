// Asks before a form with unsaved changes is left: within the dashboard, by signing out, or by closing the page.
import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { type RouterHistory, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { client } from '../client.ts';
import { useMe } from '../member.ts';

let unsavedForms = 0;
let unblock: (() => void) | null = null;
/** The dialog that is open. */
let question: { answer: Promise<boolean>; withdraw: () => void } | null = null;

export function useUnsavedChanges(unsaved: boolean): void {
  const { user } = useMe();
  const { history } = useRouter();
  useEffect(() => {
    if (!unsaved) return;
    unsavedForms += 1;
    unblock ??= blockNavigation(history, user.uid);
    return () => {
      unsavedForms -= 1;
      unblockIfDone();
    };
  }, [unsaved, history, user.uid]);
  const wasUnsaved = useRef(unsaved);
  useEffect(() => {
    // The question stays when a form disappears: it takes the place of a dialog that is unsaved.
    if (wasUnsaved.current && !unsaved && unsavedForms === 0) question?.withdraw();
    wasUnsaved.current = unsaved;
  }, [unsaved]);
}

/** While the question is open, the dialog that it is about is not. */
function unblockIfDone() {
  if (unsavedForms > 0 || question) return;
  unblock?.();
  unblock = null;
}

/** Asks if a form has unsaved changes. */
export function mayLeave(): Promise<boolean> {
  if (unsavedForms === 0 && !question) return Promise.resolve(true);
  question ??= askToLeave();
  return question.answer;
}

function blockNavigation(history: RouterHistory, uid: string): () => void {
  return history.block({
    blockerFn: async ({ action, currentLocation, nextLocation }) => {
      if (action === 'PUSH' || action === 'REPLACE') return !(await mayLeave());
      // Back and Forward have changed the URL already. It is restored at once, and not after the answer: the router
      // counts from the URL of this page, and a second Back would come from another.
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

function askToLeave(): NonNullable<typeof question> {
  let settle!: (leave: boolean) => void;
  const answered = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  const modalId = modals.openConfirmModal({
    title: 'Leave without saving?',
    children: <Text size="sm">The changes that you have not saved are lost.</Text>,
    labels: { confirm: 'Leave', cancel: 'Stay' },
    confirmProps: { color: 'red' },
    onConfirm: () => settle(true),
    onClose: () => settle(false),
  });
  return {
    answer: answered.finally(() => {
      question = null;
      unblockIfDone();
    }),
    // A save that was running has finished: nothing would be lost any more.
    withdraw() {
      settle(true);
      modals.close(modalId);
    },
  };
}
