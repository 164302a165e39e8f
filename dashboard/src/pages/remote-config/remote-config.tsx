// Remote Config: the values that the team changes without a release of the app. Changes are collected in a draft and
// published together. Specification "App configuration".
import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { HistoryIcon, PlusIcon, SearchIcon, SlidersHorizontalIcon } from 'lucide-react';
import { useMemo, useState } from 'react';
import { ActorName } from '../../components/actor-name.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { openDialog } from '../../components/open-dialog.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { RoleButton } from '../../components/role-button.tsx';
import { Time } from '../../components/time.tsx';
import { type CurrentApp, useApp } from '../../current-app.tsx';
import { configQuery, type StoredConfig } from './config-query.ts';
import { CopyMenu } from './copy-menu.tsx';
import { faultsOf, isUntouched, type Row, rowsOf, usageOf } from './draft.ts';
import { configLimits } from './limits.ts';
import { OutdatedDraft } from './outdated-draft.tsx';
import { ParameterDrawer } from './parameter-drawer.tsx';
import { ParameterList } from './parameter-list.tsx';
import { Review } from './review.tsx';
import { confirmDiscard, type DraftState, useDraft } from './use-draft.ts';

const needs = { scope: 'config:write' } as const;

export function RemoteConfigPage() {
  const current = useApp();
  const query = useQuery(configQuery(current));
  const { app } = current;
  return (
    <>
      <PageHeader
        title="Remote Config"
        description="Values that your app reads when it starts. Published changes reach it without a release."
        actions={
          <ButtonLink
            variant="default"
            leftSection={<HistoryIcon size={18} />}
            to="/apps/$appId/remote-config/history"
            params={{ appId: app.id }}
          >
            History
          </ButtonLink>
        }
      />
      <QueryView query={query}>{(stored) => <Loaded stored={stored} />}</QueryView>
    </>
  );
}

let added = 0;

function Loaded({ stored }: { stored: StoredConfig }) {
  const { can } = useApp();
  const draft = useDraft(stored);
  const { parameters } = stored.config;
  const [openId, setOpenId] = useState<string | null>(null);
  const [search, setSearch] = useState('');
  const rows = useMemo(() => rowsOf(parameters, draft.changes), [parameters, draft.changes]);
  const faults = useMemo(() => faultsOf(rows), [rows]);
  const wanted = search.trim().toLowerCase();
  const shown = rows.filter(({ before, after }) =>
    [before?.name, after?.name].some((name) => name?.toLowerCase().includes(wanted)),
  );

  function add() {
    added += 1;
    const id = `new:${Date.now()}-${added}`;
    draft.change({ id, before: null, after: { name: '', type: 'string', text: '', description: '' } });
    setSearch('');
    setOpenId(id);
  }

  function close() {
    const left = draft.changes.find(({ id }) => id === openId);
    if (left && isUntouched(left)) draft.undo(left.id);
    setOpenId(null);
  }

  const addButton = (
    <RoleButton needs={needs} leftSection={<PlusIcon size={18} />} onClick={add} variant="default">
      Add parameter
    </RoleButton>
  );
  return (
    <>
      {draft.outdated && <OutdatedDraft draft={draft} stored={stored} />}
      <DraftBar draft={draft} stored={stored} rows={rows} faults={faults.size} />
      <Group mb="md" gap="sm">
        <TextInput
          flex="1 1 14rem"
          type="search"
          aria-label="Search parameters"
          placeholder="Search by name"
          leftSection={<SearchIcon size={16} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {addButton}
        <CopyMenu stored={stored} onImport={draft.add} />
      </Group>
      {rows.length === 0 && (
        <EmptyState icon={SlidersHorizontalIcon} title="No parameters yet" action={addButton}>
          A parameter has a name and a value, such as a link, a price or a list of banners.
        </EmptyState>
      )}
      {rows.length > 0 && shown.length === 0 && (
        <Text c="dimmed">No parameter has “{search.trim()}” in its name.</Text>
      )}
      <ParameterList rows={shown} faults={faults} onOpen={setOpenId} onUndo={draft.undo} />
      <ParameterDrawer
        row={rows.find(({ id }) => id === openId) ?? null}
        fault={(openId && faults.get(openId)) || {}}
        readOnly={!can('config:write')}
        onChange={draft.change}
        onUndo={draft.undo}
        onClose={close}
      />
    </>
  );
}

type BarProps = { draft: DraftState; stored: StoredConfig; rows: Row[]; faults: number };

/** The state of the draft, what it uses of the limits, and the way to publish it. */
function DraftBar({ draft, stored, rows, faults }: BarProps) {
  const current = useApp();
  const { effective: changes } = draft;
  const usage = usageOf(rows);
  const tooMany = usage.parameters > configLimits.parameters;
  const tooLarge = usage.characters > configLimits.characters;
  const obstacle =
    (draft.outdated && 'Apply your changes to the newest version first.') ||
    (faults > 0 && `${faults === 1 ? 'One parameter' : `${faults} parameters`} must be corrected first.`) ||
    (tooMany && 'There are too many parameters.') ||
    (tooLarge && 'The values are too long together.');
  return (
    <>
      <Group justify="space-between" mb="md" gap="sm">
        <Text size="sm" c="dimmed" component="div" aria-live="polite">
          Version {stored.config.version}, published <Time at={stored.config.updated_at} /> by{' '}
          <ActorName actor={stored.config.updated_by} />
          <br />
          <Usage used={usage.parameters} of={configLimits.parameters} unit="parameters" />
          {' · '}
          <Usage used={usage.characters} of={configLimits.characters} unit="characters" />
        </Text>
        {changes.length > 0 && (
          <Group gap="sm">
            {obstacle && (
              <Text size="sm" c="var(--mantine-color-error)">
                {obstacle}
              </Text>
            )}
            <Button variant="subtle" onClick={() => confirmDiscard(draft)}>
              Discard draft
            </Button>
            <RoleButton
              needs={needs}
              disabled={Boolean(obstacle)}
              onClick={() => openReview(current, draft, stored)}
            >
              Review {changes.length === 1 ? '1 change' : `${changes.length} changes`}
            </RoleButton>
          </Group>
        )}
      </Group>
      {!draft.stored && (
        <Alert color="orange" mb="md">
          This draft is too large for the storage of the browser: it is lost when you reload or leave the
          page.
        </Alert>
      )}
    </>
  );
}

function Usage({ used, of, unit }: { used: number; of: number; unit: string }) {
  const text = `${used.toLocaleString()} of ${of.toLocaleString()} ${unit}`;
  return used > of ? (
    <Text span inherit c="var(--mantine-color-error)" fw={600}>
      {text}
    </Text>
  ) : (
    text
  );
}

function openReview(current: CurrentApp, draft: DraftState, stored: StoredConfig) {
  openDialog(
    'Review changes',
    (close) => (
      <Review
        current={current}
        changes={draft.effective}
        stored={stored}
        onPublished={() => draft.remove(draft.effective)}
        onClose={close}
      />
    ),
    { size: 'xl' },
  );
}
