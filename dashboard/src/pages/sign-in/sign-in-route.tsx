// The page to sign in with, for members who have just signed out.
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { SignInPage } from './sign-in.tsx';

const route = getRouteApi('/sign-in');

export function SignInRoute() {
  const router = useRouter();
  const { next } = route.useSearch();
  return (
    <SignInPage
      onSignedIn={() => {
        // The Back button then leads to where the member came from: this page leads on at once.
        if (next?.startsWith('/dashboard/')) router.history.replace(next);
        else void router.navigate({ to: '/', replace: true });
      }}
    />
  );
}
