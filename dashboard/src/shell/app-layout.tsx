// Gives the pages below it the app of the URL.
import type { ConsoleApp } from '@foyer/contract';
import { Alert, Button } from '@mantine/core';
import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { notifyProblem } from '../components/notify.ts';
import { AppProvider } from '../current-app.tsx';
import { appQuery } from '../member.ts';
import { setAppEnabled } from '../set-app-enabled.ts';
import { rememberApp } from '../stored-session.ts';

export function AppLayout() {
  const { appId } = useParams({ from: '/member/apps/$appId' });
  const { data: app } = useSuspenseQuery(appQuery(appId));
  useEffect(() => rememberApp(app), [app]);
  return (
    // A page keeps no state of another app.
    <AppProvider app={app} key={app.id}>
      {!app.enabled && (
        <Alert color="orange" mb="md">
          This app is disabled. Its keys are rejected, and its pages cannot load any data.
          {app.role === 'owner' ? <EnableButton app={app} /> : ' An owner can enable it.'}
        </Alert>
      )}
      <Outlet />
    </AppProvider>
  );
}

function EnableButton({ app }: { app: ConsoleApp }) {
  const enabling = useMutation({ mutationFn: () => setAppEnabled(app, true), onError: notifyProblem });
  return (
    <Button
      variant="default"
      size="xs"
      mt="sm"
      display="block"
      loading={enabling.isPending}
      onClick={() => enabling.mutate()}
    >
      Enable app
    </Button>
  );
}
