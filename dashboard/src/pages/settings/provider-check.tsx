// Tests the stored configuration of an identity provider, or of passkeys, and explains each step.
import type { ProviderCheck as CheckResult } from '@foyer/contract';
import { Alert, Button, List, Paper, Stack, Text, ThemeIcon } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CheckIcon, MinusIcon, XIcon } from 'lucide-react';
import { useEffect } from 'react';
import { capitalized } from '../../components/capitalized.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { useApp } from '../../current-app.tsx';

/** `provider`: its id, or null for passkeys. */
type Props = { provider: string | null; name: string; unsaved: boolean };

export function ProviderCheck({ provider, name, unsaved }: Props) {
  const { api } = useApp();
  const checking = useMutation({
    mutationFn: () =>
      provider === null ? api.settings.checkPasskeys() : api.settings.checkProvider(provider),
  });
  const { reset } = checking;
  // A result says nothing about settings that are stored after it.
  useEffect(() => {
    if (unsaved) reset();
  }, [unsaved, reset]);
  return (
    <Paper withBorder p="md">
      <Stack gap="sm" align="flex-start">
        <Text fw={600}>Test this configuration</Text>
        <Text size="sm" c="dimmed">
          {unsaved
            ? 'Save first: the test uses the stored settings.'
            : provider === null
              ? 'Fetches both files, and checks whether they name apps that may use the passkeys.'
              : `Checks the stored settings, and asks ${name} about those that it can confirm without a user signing in.`}
        </Text>
        <Button
          variant="default"
          disabled={unsaved}
          loading={checking.isPending}
          onClick={() => checking.mutate()}
        >
          Test
        </Button>
        <Stack gap="sm" w="100%" aria-live="polite">
          {checking.error && <ProblemAlert error={checking.error} />}
          {checking.data && <Result result={checking.data} />}
        </Stack>
      </Stack>
    </Paper>
  );
}

const looks = {
  passed: { icon: CheckIcon, color: 'green', meaning: 'Passed' },
  failed: { icon: XIcon, color: 'red', meaning: 'Failed' },
  skipped: { icon: MinusIcon, color: 'gray', meaning: 'Skipped' },
} as const;

function Result({ result }: { result: CheckResult }) {
  return (
    <>
      <Alert
        color={result.ok ? 'green' : 'red'}
        styles={{ title: { color: 'var(--mantine-color-text)' } }}
        title={result.ok ? 'No fault was found' : 'Something must be corrected'}
      />
      <List spacing="sm" listStyleType="none">
        {result.steps.map(({ name, status, message }) => {
          const { icon: Icon, color, meaning } = looks[status];
          return (
            <List.Item
              key={name}
              data-status={status}
              icon={
                <ThemeIcon
                  variant="light"
                  color={color}
                  size={24}
                  radius="xl"
                  role="img"
                  aria-label={meaning}
                >
                  <Icon size={16} aria-hidden />
                </ThemeIcon>
              }
            >
              <Text size="sm" fw={600}>
                {capitalized(name)}
              </Text>
              <Text size="sm" c="dimmed">
                {message}
              </Text>
            </List.Item>
          );
        })}
      </List>
    </>
  );
}
