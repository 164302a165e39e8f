// One version of a remote config: its values, its difference from the newest, and its restoration.
import type { RemoteConfig } from '@foyer/contract';
import { Drawer, Group, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { problemOf } from '../../api-problem.ts';
import { ActorName } from '../../components/actor-name.tsx';
import { confirmAction } from '../../components/confirm.tsx';
import { CopyIcon } from '../../components/copyable.tsx';
import { JsonEditor } from '../../components/json-editor.tsx';
import { notifySaved } from '../../components/notify.ts';
import { QueryView } from '../../components/query-view.tsx';
import { RoleButton } from '../../components/role-button.tsx';
import { Time } from '../../components/time.tsx';
import { type CurrentApp, useApp } from '../../current-app.tsx';
import { configQuery, refreshConfig, rollBack, type StoredConfig, versionQuery } from './config-query.ts';
import { differencesBetween } from './difference.ts';
import { DifferenceList } from './difference-list.tsx';
import type { Parameters } from './parameter.ts';
import { exportedText, setRules } from './transfer.ts';

type Props = { version: number | null; onClose: () => void };

export function VersionDrawer({ version, onClose }: Props) {
  return (
    <Drawer
      opened={version !== null}
      onClose={onClose}
      position="right"
      size="xl"
      title={`Version ${version ?? ''}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      styles={{ title: { fontWeight: 600 } }}
    >
      {version !== null && <Version version={version} onClose={onClose} />}
    </Drawer>
  );
}

function Version({ version, onClose }: Props & { version: number }) {
  const current = useApp();
  const newestQuery = useQuery(configQuery(current));
  const query = useQuery(versionQuery(current, version));
  return (
    <QueryView query={newestQuery}>
      {(newest) => (
        <QueryView query={query}>
          {(config) => <Loaded config={config} newest={newest} onClose={onClose} />}
        </QueryView>
      )}
    </QueryView>
  );
}

type LoadedProps = { config: RemoteConfig; newest: StoredConfig; onClose: () => void };

function Loaded({ config, newest, onClose }: LoadedProps) {
  const current = useApp();
  const isNewest = config.version === newest.config.version;
  const differences = differencesBetween(newest.config.parameters, config.parameters);
  const text = exportedText(config.parameters);
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" component="div">
          Published <Time at={config.updated_at} exact /> by <ActorName actor={config.updated_by} />
        </Text>
        {!isNewest && (
          <RoleButton
            needs={{ scope: 'config:write' }}
            disabled={differences.length === 0}
            onClick={() => confirmRollback(current, config, newest, onClose)}
          >
            Restore this version
          </RoleButton>
        )}
      </Group>
      {config.note !== null && (
        <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
          {config.note}
        </Text>
      )}
      <Tabs defaultValue="changes" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="changes">Changes</Tabs.Tab>
          {!isNewest && <Tabs.Tab value="difference">Compared with the newest</Tabs.Tab>}
          <Tabs.Tab value="values">All values</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="changes">
          <Changes config={config} />
        </Tabs.Panel>
        <Tabs.Panel value="difference">
          <Text size="sm" mb="sm">
            {differences.length === 0
              ? `Version ${newest.config.version} has the same values.`
              : `Restoring version ${config.version} would change in version ${newest.config.version}:`}
          </Text>
          <DifferenceList differences={differences} />
        </Tabs.Panel>
        <Tabs.Panel value="values">
          <Group justify="flex-end" mb="xs">
            <CopyIcon value={text} label="the values as JSON" />
          </Group>
          <JsonEditor label="Values" value={text} readOnly rules={setRules} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

/** What the version changed in the one before it, which may be too old to be stored. */
function Changes({ config }: { config: RemoteConfig }) {
  const current = useApp();
  const isFirst = config.version === 1;
  const query = useQuery({ ...versionQuery(current, config.version - 1), enabled: !isFirst });
  if (isFirst) return <ChangesFrom before={{}} config={config} />;
  if (query.error && problemOf(query.error).code === 'config/version-not-found') {
    return <Text size="sm">The version before it is no longer stored.</Text>;
  }
  return (
    <QueryView query={query}>
      {({ parameters }) => <ChangesFrom before={parameters} config={config} />}
    </QueryView>
  );
}

function ChangesFrom({ before, config }: { before: Parameters; config: RemoteConfig }) {
  const differences = differencesBetween(before, config.parameters);
  return (
    <>
      <Text size="sm" mb="sm">
        {differences.length === 0
          ? 'It has the same values as the version before it.'
          : config.version === 1
            ? 'The first version has:'
            : `Version ${config.version} changed in version ${config.version - 1}:`}
      </Text>
      <DifferenceList differences={differences} />
    </>
  );
}

function confirmRollback(
  current: CurrentApp,
  config: RemoteConfig,
  newest: StoredConfig,
  onClose: () => void,
) {
  const next = newest.config.version + 1;
  confirmAction({
    title: `Restore version ${config.version}?`,
    body: `Its values are published as version ${next}, and apps receive them the next time they read their configuration. The history stays complete.`,
    confirmLabel: 'Restore version',
    destructive: false,
    run: async () => {
      try {
        const { config: written } = await rollBack(current, config.version, newest.etag);
        onClose();
        notifySaved(`Version ${config.version} is restored as version ${written.version}.`);
      } catch (error) {
        // The next attempt then compares with the newest version.
        if (problemOf(error).code === 'config/version-conflict') void refreshConfig(current);
        throw error;
      }
    },
  });
}
