// Opens a dialog whose content can close it.
import type { ModalProps } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';

export function openDialog(
  title: string,
  content: (close: () => void) => ReactNode,
  settings: Partial<ModalProps> = {},
): void {
  const id = modals.open({ ...settings, title, children: content(() => modals.close(id)) });
}
