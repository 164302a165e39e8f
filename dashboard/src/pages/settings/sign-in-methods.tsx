// The first section: the ways to sign in, which are on, and whether they work.
import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { problemOf } from '../../api-problem.ts';
import { TextLink } from '../../components/links.tsx';
import { useApp } from '../../current-app.tsx';
import { type SectionName, settingsSections } from '../../settings-sections.ts';
import { type Method, methods } from './methods.ts';
import type { SectionProps } from './use-section.ts';

export function SignInMethods({ settings }: SectionProps) {
  const { app, api } = useApp();
  const used = useQuery({
    queryKey: [app.id, 'stats', 'methods'],
    queryFn: async ({ signal }) => (await api.stats.daily({}, { signal })).days,
  }).data;
  const usesOf = (counter: string) =>
    used?.reduce((sum, { sign_ins }) => sum + ((sign_ins as Record<string, number>)[counter] ?? 0), 0);
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Title order={2}>Sign-in methods</Title>
        <Text size="sm" c="dimmed">
          How users sign in to {app.name}. Uses are those of the last 30 days.{' '}
          {settings.sign_up === 'open'
            ? 'Anyone may sign up.'
            : 'Only your server and your team can create accounts.'}{' '}
          Change this under{' '}
          <SectionLink section="sign-in" inherit underline="always">
            Advanced
          </SectionLink>
          .
        </Text>
      </Stack>
      <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {methods.map((method) => (
          <Row
            key={method.name}
            method={method}
            isOn={method.isOn(settings)}
            state={method.state(settings)}
            uses={usesOf(method.counter)}
          />
        ))}
      </Stack>
    </Stack>
  );
}

type LinkProps = Pick<ComponentProps<typeof TextLink>, 'fw' | 'size' | 'inherit' | 'underline' | 'children'>;

function SectionLink({ section, ...props }: LinkProps & { section: SectionName }) {
  const { app } = useApp();
  return <TextLink to="/apps/$appId/settings" params={{ appId: app.id }} search={{ section }} {...props} />;
}

type RowProps = { method: Method; isOn: boolean | 'always'; state: string; uses: number | undefined };

function Row({ method: { name, section, provider }, isOn, state, uses }: RowProps) {
  return (
    <Paper withBorder p="md" component="li">
      <Group justify="space-between" gap="sm" align="flex-start">
        <Stack gap={2} flex="1 1 14rem" miw={0}>
          <Group gap="xs">
            {isOn === 'always' ? (
              <Text fw={500} size="sm">
                {name}
              </Text>
            ) : (
              <SectionLink section={section} fw={500} size="sm">
                {name}
              </SectionLink>
            )}
            <Badge color={isOn ? 'green' : 'gray'}>
              {isOn === 'always' ? 'Always on' : isOn ? 'On' : 'Off'}
            </Badge>
          </Group>
          <Text size="sm" c="dimmed">
            {state}
            {isOn && uses !== undefined && ` Used ${uses === 1 ? 'once' : `${uses.toLocaleString()} times`}.`}
            {isOn === 'always' && (
              <>
                {' '}
                Change this under{' '}
                <SectionLink section={section} inherit underline="always">
                  {settingsSections.find((each) => each.name === section)?.label}
                </SectionLink>
                .
              </>
            )}
          </Text>
        </Stack>
        {provider && isOn && <Test provider={provider} name={name} />}
      </Group>
    </Paper>
  );
}

function Test({ provider, name }: { provider: NonNullable<Method['provider']>; name: string }) {
  const { api } = useApp();
  const test = useMutation({
    mutationFn: async () => {
      const { steps } = await api.settings.checkProvider(provider);
      return {
        failures: steps.filter(({ status }) => status === 'failed').length,
        isReturning: steps.some(({ name, status }) => name === 'Redirect URIs' && status === 'passed'),
      };
    },
  });
  return (
    <Stack gap={4} align="flex-end">
      <Button
        variant="default"
        size="xs"
        loading={test.isPending}
        onClick={() => test.mutate()}
        aria-label={`Test ${name}`}
      >
        Test
      </Button>
      <Text size="xs" c={test.error || test.data?.failures ? 'red' : 'dimmed'} role="status">
        {test.error && problemOf(test.error).message}
        {test.data && resultText(test.data)}
      </Text>
    </Stack>
  );
}

function resultText({ failures, isReturning }: { failures: number; isReturning: boolean }): string {
  if (failures > 0) return `${failures} ${failures === 1 ? 'check' : 'checks'} failed.`;
  return isReturning
    ? 'The test passed.'
    : 'The test passed, but for sign-in by redirect, which is not set up.';
}
