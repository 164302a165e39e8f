// Gives the pages below it the app of the URL.
import { Alert } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { TextLink } from '../components/links.tsx';
import { AppProvider } from '../current-app.tsx';
import { appQuery, rememberApp } from '../member.ts';

export function AppLayout() {
  const { appId } = useParams({ from: '/member/apps/$appId' });
  const { data: app } = useSuspenseQuery(appQuery(appId));
  useEffect(() => rememberApp(appId), [appId]);
  return (
    // A page keeps no state of another app.
    <AppProvider app={app} key={app.id}>
      {!app.enabled && (
        <Alert color="orange" mb="md">
          This app is disabled. Its keys are rejected, and its pages cannot load any data. An owner can enable
          it in <TextLink to="/apps">the list of apps</TextLink>.
        </Alert>
      )}
      <Outlet />
    </AppProvider>
  );
}
