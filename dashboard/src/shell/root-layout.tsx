// Around every page: the dialogs. Their content can navigate, and is therefore inside the router.
import { ModalsProvider, modals } from '@mantine/modals';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useCredentialRequest } from '../session.ts';
import { CredentialDialogs } from './credential-dialogs.tsx';

export function RootLayout() {
  const pathname = useLocation({ select: (location) => location.pathname });
  // A dialog of the page that was left, such as by the Back button, would seem to be about the page below it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what the dialogs depend on.
  useEffect(() => () => modals.closeAll(), [pathname]);
  // Escape declines the request for a password, and must not close the dialog below that request too.
  const isBelow = useCredentialRequest() !== null;
  return (
    // A click beside a dialog must not lose what was typed in it.
    <ModalsProvider modalProps={{ closeOnClickOutside: false, closeOnEscape: !isBelow }}>
      <Outlet />
      <CredentialDialogs />
    </ModalsProvider>
  );
}
