// Moves the focus to the title of a page that the member has gone to: a screen reader announces it, and the next step of
// the keyboard starts there. Without this the focus would be lost with the link that was followed.
import { useLayoutEffect, useRef } from 'react';
import { isCredentialRequested } from '../session.ts';

let isDue = false;

/** The next title that is shown takes the focus. */
export function focusNextTitle(): void {
  isDue = true;
}

let isSectionDue = false;

/** The next section that is shown takes the focus from the title of its page. */
export function focusNextSection(): void {
  isSectionDue = true;
}

/** True once after `focusNextSection`. */
export function takeSectionFocus(): boolean {
  const taken = isSectionDue;
  isSectionDue = false;
  return taken;
}

/** The ref of a title. */
export function useTitleFocus() {
  const ref = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const title = ref.current as HTMLHeadingElement;
    if (isDue && !isFocusTaken()) title.focus({ preventScroll: true });
    isDue = false;
    return () => {
      // The title of a page that is loading is replaced by that of the loaded one.
      if (document.activeElement === title) isDue = true;
    };
  }, []);
  return ref;
}

/** Whether the focus was taken by an input of the new page, or by the dialog that asks for a password over it. */
function isFocusTaken(): boolean {
  return isCredentialRequested() || document.activeElement?.matches('main *') === true;
}
