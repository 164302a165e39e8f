// Around every page: the dialogs. Their content can navigate, and is therefore inside the router.
import { ModalsProvider } from '@mantine/modals';
import { Outlet } from '@tanstack/react-router';
import { CredentialDialogs } from './credential-dialogs.tsx';

export function RootLayout() {
  return (
    <ModalsProvider>
      <Outlet />
      <CredentialDialogs />
    </ModalsProvider>
  );
}
