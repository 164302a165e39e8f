// What is shown while the code or the first data of a page is being loaded.
import { Box, Skeleton } from '@mantine/core';
import { LoadingRows } from '../components/loading-rows.tsx';

export function PageLoading() {
  return (
    <Box p="md" w="100%" maw={1100} mx="auto">
      <Skeleton height={28} width={200} mb="xl" />
      <LoadingRows />
    </Box>
  );
}
