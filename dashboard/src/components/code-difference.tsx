// The difference between two texts, line by line, loaded when it is first shown; where it cannot be loaded, both texts take
// its place.
import { Skeleton, Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { CodeBlock } from './code-block.tsx';
import type { TextDifference } from './code-mirror-merge.tsx';

const CodeMirrorMerge = lazy(() => import('./code-mirror-merge.tsx').catch(() => ({ default: BothTexts })));

export function CodeDifference(props: TextDifference) {
  return (
    <Suspense fallback={<Skeleton height={100} />}>
      <CodeMirrorMerge {...props} />
    </Suspense>
  );
}

function BothTexts({ label, before, after }: TextDifference) {
  return (
    <Stack gap={4}>
      <Text size="sm">Before:</Text>
      <CodeBlock label={`${label}, before`}>{before}</CodeBlock>
      <Text size="sm">After:</Text>
      <CodeBlock label={`${label}, after`}>{after}</CodeBlock>
    </Stack>
  );
}
