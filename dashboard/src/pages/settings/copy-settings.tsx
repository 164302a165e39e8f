// The section Copy settings. It copies the settings of another app of the member, as app files are applied: what differs is listed
// first, and nothing is changed if the settings were changed since.
import type { AppSettings } from '@foyer/contract';
import { Button, List, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { CopyIcon } from 'lucide-react';
import { useState } from 'react';
import { apiOf } from '../../api.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { notifySaved } from '../../components/notify.ts';
import { openDialog } from '../../components/open-dialog.ts';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { type CurrentApp, useApp } from '../../current-app.tsx';
import { appsQuery } from '../../member.ts';
import { storeSettings } from '../../settings-query.ts';
import { copiedFrom, copiedNames } from './copied-settings.ts';

export function CopySettings() {
  const current = useApp();
  return (
    <Stack gap="lg" align="flex-start">
      <Stack gap={4}>
        <Title order={2}>Copy settings</Title>
        <Text size="sm" c="dimmed" maw="65ch" component="div">
          Makes this app like another one of yours. What changes is listed first.
        </Text>
      </Stack>
      <Text size="sm" maw="65ch">
        <b>Copied:</b> {copiedNames.join(', ')}.
      </Text>
      <Text size="sm" maw="65ch">
        <b>Not copied,</b> because it belongs to one app: providers and their client ids, secrets, redirect
        URIs, allowed origins, the deep link, the domain of passkeys, push credentials, the sender and the
        branding of mails (logo, color, button, footer), and the shutdown date of v1. Remote config,
        collections, webhooks, keys and users are not settings, and are not copied either.
      </Text>
      <Button
        variant="default"
        leftSection={<CopyIcon size={16} />}
        onClick={() =>
          openDialog('Copy settings from another app', (close) => <Copy current={current} onClose={close} />)
        }
      >
        Copy settings from another app
      </Button>
    </Stack>
  );
}

type Props = { current: CurrentApp; onClose: () => void };

function Copy({ current, onClose }: Props) {
  const apps = useInfiniteQuery(appsQuery).data?.pages.flatMap((page) => page.items) ?? [];
  const others = apps.filter(({ id, enabled }) => id !== current.app.id && enabled);
  const [from, setFrom] = useState('');
  const source = others.find(({ id }) => id === from);
  const query = useQuery({
    queryKey: [current.app.id, 'settings', 'copied', from],
    queryFn: async () => {
      // The version first: settings that are changed meanwhile have another one.
      const { versions } = await current.api.appFiles.read();
      const [to, wanted] = await Promise.all(
        [current.api, apiOf(source?.app_key ?? '')].map((api) => api.settings.get()),
      );
      return { version: versions.settings, ...copiedFrom(wanted as AppSettings, to as AppSettings) };
    },
    enabled: source !== undefined,
    gcTime: 0,
  });
  const copy = query.data;
  const saving = useMutation({
    mutationFn: async ({ version, patch }: NonNullable<typeof copy>) => {
      await current.api.appFiles.apply({ version, settings: patch });
      return current.api.settings.get();
    },
    onSuccess: (saved) => {
      storeSettings(current, saved as AppSettings);
      notifySaved(`The settings of ${source?.name ?? 'the app'} are copied.`);
      onClose();
    },
    // The list shows what differs now.
    onError: () => void query.refetch(),
  });
  return (
    <Stack>
      <NativeSelect
        label="From the app"
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
        data={[
          { value: '', label: others.length === 0 ? 'You have no other app' : 'Choose an app' },
          ...others.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      {query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {copy && (
        <div role="status">
          <Text size="sm">{copy.names.length === 0 ? 'Nothing differs.' : 'These settings change:'}</Text>
          <List size="sm">
            {copy.names.map((name) => (
              <List.Item key={name}>{name}</List.Item>
            ))}
          </List>
        </div>
      )}
      {saving.error && <ProblemAlert error={saving.error} />}
      <Button
        disabled={!copy || copy.names.length === 0}
        loading={saving.isPending}
        onClick={() => copy && saving.mutate(copy)}
      >
        Copy settings
      </Button>
    </Stack>
  );
}
