// Around every page: the dialogs. Their content can navigate, and is therefore inside the router.
import { ModalsProvider, modals } from '@mantine/modals';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { CredentialDialogs } from './credential-dialogs.tsx';

/** A click beside a dialog must not lose what was typed in it. */
const modalProps = { closeOnClickOutside: false };

export function RootLayout() {
  const pathname = useLocation({ select: (location) => location.pathname });
  // A dialog of the page that was left, such as by the Back button, would seem to be about the page below it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what the dialogs depend on.
  useEffect(() => () => modals.closeAll(), [pathname]);
  return (
    <ModalsProvider modalProps={modalProps}>
      <Outlet />
      <CredentialDialogs />
    </ModalsProvider>
  );
}
