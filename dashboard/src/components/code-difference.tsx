// The difference between two texts, line by line, loaded when it is first shown.
import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { TextDifference } from './code-mirror-merge.tsx';

const CodeMirrorMerge = lazy(() => import('./code-mirror-merge.tsx'));

export function CodeDifference(props: TextDifference) {
  return (
    <Suspense fallback={<Skeleton height={100} />}>
      <CodeMirrorMerge {...props} />
    </Suspense>
  );
}
