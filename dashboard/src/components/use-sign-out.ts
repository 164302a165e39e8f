// Signs the member out on purpose, and shows the sign-in page.
import { useNavigate } from '@tanstack/react-router';
import { queryClient } from '../query-client.ts';
import { signOut } from '../session.ts';
import { mayLeave } from './unsaved-changes.tsx';

export function useSignOut(): (options?: { everywhere?: boolean }) => Promise<void> {
  const navigate = useNavigate();
  return async (options) => {
    // Asked before: once the session has ended, nothing can be saved any more.
    if (!(await mayLeave())) return;
    await signOut(options);
    await navigate({ to: '/sign-in', ignoreBlocker: true });
    queryClient.clear();
  };
}
