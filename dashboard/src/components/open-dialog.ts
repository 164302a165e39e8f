// Opens a dialog whose content can close it.
import type { ModalProps } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';

/** After `lock()`, only the content closes the dialog. */
type Content = (close: () => void, lock: () => void) => ReactNode;

type Settings = Omit<Partial<ModalProps>, 'onClose'> & {
  /** Called however the dialog is closed. */
  onClose?: () => void;
};

export function openDialog(title: string, content: Content, settings: Settings = {}): void {
  const id: string = modals.open({
    ...settings,
    title,
    children: content(
      () => modals.close(id),
      () => modals.updateModal({ modalId: id, closeOnEscape: false, withCloseButton: false }),
    ),
  });
}
