// The placeholder of a list while its first page is being read.
import { Skeleton, Stack } from '@mantine/core';

export function LoadingRows({ rows = 6, height = 44 }: { rows?: number; height?: number }) {
  return (
    <Stack gap="xs" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no identity.
        <Skeleton key={row} height={height} radius="md" />
      ))}
    </Stack>
  );
}
