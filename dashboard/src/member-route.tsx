// The routes that others are below: the root, and the frame of every page of a signed-in member.
import { createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import { client } from './client.ts';
import { meQuery } from './member.ts';
import { queryClient } from './query-client.ts';
import { MemberLayout } from './shell/member-layout.tsx';
import { RootLayout } from './shell/root-layout.tsx';

export const root = createRootRoute({ component: RootLayout });

/** Every page below it is for signed-in members. */
export const member = createRoute({
  getParentRoute: () => root,
  id: 'member',
  beforeLoad: async ({ location }) => {
    const state = await client.auth.ready();
    if (state.status === 'signedOut')
      throw redirect({ to: '/sign-in', search: { next: location.publicHref } });
  },
  loader: () => queryClient.ensureQueryData(meQuery),
  component: MemberLayout,
});
