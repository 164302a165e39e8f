// The problem of an action whose form or dialog was closed before the answer: a notice shows what neither can any more.
import { notifyProblem } from './notify.ts';
import { useIsShown } from './use-is-shown.ts';

export function useLateProblem(): (error: unknown) => void {
  const isShown = useIsShown();
  return (error) => {
    if (!isShown()) notifyProblem(error);
  };
}
