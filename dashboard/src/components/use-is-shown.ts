// Whether a page or dialog is still shown, for the answer to an action that it has begun.
import { useEffect, useRef } from 'react';

export function useIsShown(): () => boolean {
  const shown = useRef(false);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  return () => shown.current;
}
