// Leads to the page that follows an action. A member who has left the page or dialog before the answer stays where they
// are, and keeps what they have typed there.
import { type UseNavigateResult, useNavigate } from '@tanstack/react-router';
import { useIsShown } from './use-is-shown.ts';

export function useNextPage(): UseNavigateResult<string> {
  const navigate = useNavigate();
  const isShown = useIsShown();
  const next = async (...options: Parameters<typeof navigate>) => {
    if (isShown()) await navigate(...options);
  };
  return next as typeof navigate;
}
