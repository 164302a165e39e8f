// What a click in a row of a table does where no link, button or selected text is.
import type { MouseEvent } from 'react';

/**
 * A click anywhere in a row or card follows its own link; what is selected as text, or has an action of its own, does not. The
 * links of other columns lead to something else, such as the owner of a file.
 */
export function openRow(event: MouseEvent<HTMLElement>): void {
  if (!isPlainClick(event)) return;
  const { currentTarget } = event;
  const own = currentTarget.matches('tr') ? currentTarget.querySelector('[data-own]') : currentTarget;
  own?.querySelector('a')?.click();
}

export function isPlainClick({ target }: MouseEvent<HTMLElement>): boolean {
  if ((target as HTMLElement).closest('a, button, input, label, [role=menu]')) return false;
  return window.getSelection()?.isCollapsed !== false;
}
