// One record: view and edit its fields as JSON. A save names the version that it started from, so that it cannot
// overwrite a change made meanwhile.
import type { DataRecord } from '@foyer/contract';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { deletion } from '../../api.ts';
import { problemOf } from '../../api-problem.ts';
import { confirmAction } from '../../components/confirm.tsx';
import { isSame } from '../../components/form-values.ts';
import { formatJson, JsonEditor, parseObject } from '../../components/json-editor.tsx';
import { JsonText } from '../../components/json-text.tsx';
import { BackLink } from '../../components/links.tsx';
import { useListSearch } from '../../components/list-search.ts';
import { notifySaved } from '../../components/notify.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { PersonLink } from '../../components/person-link.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { RoleButton } from '../../components/role-button.tsx';
import { RoleNote } from '../../components/role-note.tsx';
import { Time } from '../../components/time.tsx';
import { useUnsavedChanges } from '../../components/unsaved-changes.tsx';
import { useNextPage } from '../../components/use-next-page.ts';
import { useApp } from '../../current-app.tsx';
import { recordRules, refreshRecords } from './collection-words.ts';
import { RecordConflict } from './record-conflict.tsx';

const route = getRouteApi('/member/apps/$appId/data/$collection/$recordId');

const needs = { scope: 'data:write' } as const;

export function RecordPage() {
  const { app, api, can } = useApp();
  const { collection, recordId: id } = route.useParams();
  const query = useQuery({
    queryKey: [app.id, 'record', collection, id],
    queryFn: ({ signal }) => api.data.get(collection, id, { signal }),
    // The editor starts from what was read, and a save finds later changes.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  return (
    <>
      <BackLink
        to="/apps/$appId/data/$collection"
        params={{ appId: app.id, collection }}
        search={useListSearch()}
      >
        {collection}
      </BackLink>
      <QueryView query={query} title={id}>
        {(record) =>
          can(needs.scope) ? <RecordEditor record={record} key={record.id} /> : <RecordText record={record} />
        }
      </QueryView>
    </>
  );
}

/** For a member who may not change it. */
function RecordText({ record }: { record: DataRecord }) {
  return (
    <>
      <RecordHeader record={record} />
      <Stack>
        <JsonText value={record.fields} label="Fields" />
        <RoleNote needs={needs} />
      </Stack>
    </>
  );
}

function RecordHeader({ record, actions }: { record: DataRecord; actions?: ReactNode }) {
  return (
    <PageHeader
      title={record.id}
      tabTitle={`${record.id} in ${record.collection}`}
      description={
        <>
          Version {record.version}, changed <Time at={record.updated_at} /> · Owner:{' '}
          <PersonLink uid={record.owner_uid} none="the app" />
        </>
      }
      actions={actions}
    />
  );
}

function RecordEditor({ record }: { record: DataRecord }) {
  const current = useApp();
  const { data } = current.api;
  const { collection, id } = record;
  const [base, setBase] = useState(record);
  const [text, setText] = useState(formatJson(record.fields));
  const [other, setOther] = useState<DataRecord | null>(null);
  const { value: fields, problem } = parseObject(text, recordRules);
  const changed = text !== formatJson(base.fields);

  useUnsavedChanges(changed);

  const saving = useMutation({
    mutationFn: ({ fields }: { fields: Record<string, unknown>; text: string }) => save(fields),
    onSuccess: (saved, sent) => {
      setBase(saved);
      // What was typed during the save stays.
      if (text === sent.text) setText(formatJson(saved.fields));
      notifySaved('The record is saved.');
      void refreshRecords(current, record.collection);
    },
  });

  async function save(fields: Record<string, unknown>): Promise<DataRecord> {
    try {
      return await data.replace(collection, id, { fields }, { ifMatch: `"${base.version}"` });
    } catch (error) {
      if (problemOf(error).code !== 'data/precondition-failed') throw error;
      // If the other version cannot be read, such as after the record was deleted, that is the problem to show.
      const found = await data.get(collection, id);
      // An earlier attempt was saved, and its answer was lost.
      if (isSame(found.fields, fields)) return found;
      setOther(found);
      throw error;
    }
  }

  async function showOther() {
    setOther(await data.get(collection, id));
  }

  function continueFrom(version: DataRecord) {
    setBase(version);
    setOther(null);
    saving.reset();
  }

  return (
    <>
      <RecordHeader record={base} actions={<DeleteRecord record={base} onChanged={showOther} />} />
      <Stack>
        <JsonEditor label="Fields" value={text} onChange={setText} rules={recordRules} error={problem} />
        {other && (
          <RecordConflict
            other={other}
            onTake={() => {
              continueFrom(other);
              setText(formatJson(other.fields));
            }}
            onKeep={() => continueFrom(other)}
          />
        )}
        {saving.error && !other && <ProblemAlert error={saving.error} />}
        <Group>
          <Button
            loading={saving.isPending}
            disabled={!changed || !fields || other !== null}
            onClick={() => fields && saving.mutate({ fields, text })}
          >
            Save
          </Button>
          {changed && (
            <Button
              variant="subtle"
              onClick={() => {
                setText(formatJson(base.fields));
                saving.reset();
              }}
            >
              Discard changes
            </Button>
          )}
          {changed && (
            <Text size="sm" c="dimmed">
              Not saved yet
            </Text>
          )}
        </Group>
      </Stack>
    </>
  );
}

type DeleteProps = {
  record: DataRecord;
  /** Somebody else has changed the record since it was read. */
  onChanged: () => Promise<void>;
};

function DeleteRecord({ record, onChanged }: DeleteProps) {
  const current = useApp();
  const navigate = useNextPage();
  const listSearch = useListSearch();
  const { collection, id } = record;
  return (
    <RoleButton
      needs={needs}
      variant="light"
      color="red"
      onClick={() =>
        confirmAction({
          title: 'Delete this record?',
          body: `${id} is deleted from ${collection}. This cannot be undone.`,
          confirmLabel: 'Delete record',
          run: async () => {
            try {
              await deletion(
                current.api.data.delete(collection, id, { ifMatch: `"${record.version}"` }),
                'data/not-found',
              );
            } catch (error) {
              if (problemOf(error).code === 'data/precondition-failed') await onChanged();
              throw error;
            }
            notifySaved('The record is deleted.');
            await navigate({
              to: '/apps/$appId/data/$collection',
              params: { appId: current.app.id, collection },
              search: listSearch,
              ignoreBlocker: true,
            });
            await refreshRecords(current, collection);
          },
        })
      }
    >
      Delete
    </RoleButton>
  );
}
