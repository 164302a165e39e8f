// The problem of an action whose form or dialog was closed before the answer: a notice shows what neither can any more.
import { useEffect, useRef } from 'react';
import { notifyProblem } from './notify.ts';

export function useLateProblem(): (error: unknown) => void {
  const open = useRef(false);
  useEffect(() => {
    open.current = true;
    return () => {
      open.current = false;
    };
  }, []);
  return (error) => {
    if (!open.current) notifyProblem(error);
  };
}
