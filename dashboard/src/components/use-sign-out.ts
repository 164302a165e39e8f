// Signs the member out on purpose, and shows the sign-in page.
import { useNavigate } from '@tanstack/react-router';
import { ApiProblem } from '../api-problem.ts';
import { queryClient } from '../query-client.ts';
import { signOut } from '../session.ts';
import { clearNotices, notifyProblem } from './notify.ts';
import { mayLeave } from './unsaved-changes.tsx';

const othersRemain = new ApiProblem(
  'client/network',
  'You are signed out here. Your other devices may still be signed in: the service could not be reached.',
);

export function useSignOut(): (options?: { everywhere?: boolean }) => Promise<void> {
  const navigate = useNavigate();
  return async (options) => {
    // Asked before: once the session has ended, nothing can be saved any more.
    if (!(await mayLeave())) return;
    const { remote } = await signOut(options);
    clearNotices();
    if (options?.everywhere && !remote) notifyProblem(othersRemain);
    await navigate({ to: '/sign-in', ignoreBlocker: true });
    queryClient.clear();
  };
}
