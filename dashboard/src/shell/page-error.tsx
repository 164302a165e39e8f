// A page that could not be loaded.
import { Box } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ErrorState } from '../components/error-state.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { isReachable, onReachabilityChange } from '../reachability.ts';

export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  function retry() {
    reset();
    void router.invalidate();
  }
  useEffect(() => onReachabilityChange(() => isReachable() && retry()));
  return (
    <Box p="md" w="100%" maw={1100} mx="auto">
      <PageHeader title="This page could not be loaded" />
      <ErrorState error={error} onRetry={retry} />
    </Box>
  );
}
