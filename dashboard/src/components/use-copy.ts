// Copies a text, and says when the browser does not allow it: without permission, and on insecure origins, which have no
// clipboard.
import { useClipboard } from '@mantine/hooks';
import { useEffect } from 'react';
import { ApiProblem } from '../api-problem.ts';
import { notifyProblem } from './notify.ts';

export function useCopy(): { copied: boolean; copy: (text: string) => void } {
  const { copied, copy, error } = useClipboard({ timeout: 2_000 });
  useEffect(() => {
    if (error) notifyProblem(notAllowed);
  }, [error]);
  return { copied, copy };
}

const notAllowed = new ApiProblem(
  'client/clipboard',
  'The browser does not allow copying. Select the text and copy it yourself.',
);
