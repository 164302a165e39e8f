// The section API v1: its shutdown date beside the users who are still on it. Specification "Versioning".
import { Alert, SimpleGrid, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { TriangleAlertIcon } from 'lucide-react';
import type { FormEvent } from 'react';
import { confirmAction } from '../../components/confirm.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { instantOf, isLocalTime, localTime } from '../../components/local-time.ts';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';
import { serviceNow, useServiceMinute } from '../../service-clock.ts';
import { migrationQuery } from '../../settings-query.ts';
import { SectionForm } from './section-form.tsx';
import { shutdownQuestion, usersText } from './shutdown-question.ts';
import { type SectionProps, useSection } from './use-section.ts';

export function V1({ settings }: SectionProps) {
  const current = useApp();
  const { app } = current;
  const migration = useQuery(migrationQuery(current));
  const section = useSection({
    settings,
    valuesOf: ({ v1_sunset_at }) => ({
      v1_sunset_at: v1_sunset_at === null ? '' : localTime(new Date(v1_sunset_at), 'seconds'),
    }),
    settingsOf: ({ v1_sunset_at }) => ({
      v1_sunset_at: v1_sunset_at === '' ? null : instantOf(v1_sunset_at),
    }),
  });
  const { form, saving } = section;
  const { v1_sunset_at } = form.values;
  const left = migration.data?.v1_active_users_30d;
  const isTime = isLocalTime(v1_sunset_at);
  const affected = isTime && left !== 0;

  function onSubmit(event?: FormEvent<HTMLFormElement>) {
    const question = isTime
      ? shutdownQuestion(new Date(instantOf(v1_sunset_at)), serviceNow(), {
          users: left,
          tokens: migration.data?.v1_live_tokens,
        })
      : null;
    if (!question) return section.onSubmit(event);
    event?.preventDefault();
    const { typed, ...texts } = question;
    confirmAction({
      ...texts,
      ...(typed && { typeToConfirm: app.name }),
      run: async () => {
        // A refusal is shown beside the input.
        await saving.mutateAsync(form.getValues()).catch(() => {});
      },
    });
  }

  return (
    <SectionForm
      title="API v1"
      description="Apps move from v1 to v2 release by release. After the shutdown date v1 rejects every call; until then its responses announce the date."
      section={{ ...section, onSubmit }}
      inputs={['v1_sunset_at']}
    >
      {migration.error ? (
        <ErrorState error={migration.error} onRetry={() => void migration.refetch()} />
      ) : (
        <Figures figures={migration.data} />
      )}
      <TextInput
        type="datetime-local"
        step={1}
        label="Shutdown date"
        description={
          isTime
            ? `In your time zone; ${instantOf(v1_sunset_at).slice(0, 16).replace('T', ' ')} UTC.`
            : 'In your time zone. Empty: v1 keeps working.'
        }
        {...form.getInputProps('v1_sunset_at')}
      />
      <Announced settings={settings} />
      {affected && migration.data && (
        <Alert color="orange" icon={<TriangleAlertIcon size={20} />} role="status">
          {usersText(left)} They are signed out of apps that still use v1 when it is shut down.
        </Alert>
      )}
    </SectionForm>
  );
}

/** A date that was past when it was set announced nothing: it is the time of the shutdown itself. */
function Announced({ settings: { v1_deprecated_at, v1_sunset_at } }: SectionProps) {
  const now = useServiceMinute();
  if (v1_sunset_at === null || v1_deprecated_at === null) return null;
  return (
    <Text size="sm" c="dimmed" component="div">
      {Date.parse(v1_sunset_at) <= now && (
        <>
          <b>v1 is shut down</b> since <Time at={v1_sunset_at} />.{' '}
        </>
      )}
      {v1_deprecated_at !== v1_sunset_at && (
        <>
          First announced <Time at={v1_deprecated_at} />.
        </>
      )}
    </Text>
  );
}

type FigureProps = {
  figures:
    | {
        v1_active_users_7d: number;
        v1_active_users_30d: number;
        v1_live_tokens: number;
        v2_active_users_30d: number;
      }
    | undefined;
};

function Figures({ figures }: FigureProps) {
  const shown = [
    ['On v1 in 7 days', figures?.v1_active_users_7d],
    ['On v1 in 30 days', figures?.v1_active_users_30d],
    ['Valid v1 tokens', figures?.v1_live_tokens],
    ['On v2 in 30 days, counted hourly', figures?.v2_active_users_30d],
  ] as const;
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }}>
      {shown.map(([label, figure]) => (
        <Stack key={label} gap={0}>
          {figure === undefined ? (
            <Skeleton height={28} width={60} />
          ) : (
            <Text fw={600} size="xl">
              {figure.toLocaleString()}
            </Text>
          )}
          <Text size="sm" c="dimmed">
            {label}
          </Text>
        </Stack>
      ))}
    </SimpleGrid>
  );
}
