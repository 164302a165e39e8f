// One collection: its records, with a query, and what can be done with it.
import type { Collection } from '@foyer/contract';
import { Badge, Button, Group, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ChevronDownIcon, PlusIcon } from 'lucide-react';
import { deletion } from '../../api.ts';
import { confirmAction } from '../../components/confirm.tsx';
import { BackLink } from '../../components/links.tsx';
import { notifySaved } from '../../components/notify.ts';
import { openDialog } from '../../components/open-dialog.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { RoleButton } from '../../components/role-button.tsx';
import { useNextPage } from '../../components/use-next-page.ts';
import { useApp } from '../../current-app.tsx';
import { queryClient } from '../../query-client.ts';
import { CollectionForm } from './collection-form.tsx';
import { accessModeTexts, collectionQuery, recordsKey, refreshCollections } from './collection-words.ts';
import { CreateRecord } from './create-record.tsx';
import { Records } from './records.tsx';

const route = getRouteApi('/member/apps/$appId/data/$collection');

export function CollectionPage() {
  const current = useApp();
  const { collection } = route.useParams();
  const query = useQuery(collectionQuery(current, collection));
  return (
    <>
      <BackLink to="/apps/$appId/data" params={{ appId: current.app.id }}>
        Data
      </BackLink>
      <QueryView query={query} title={collection}>
        {(read) => <Contents collection={read} key={read.name} />}
      </QueryView>
    </>
  );
}

function Contents({ collection }: { collection: Collection }) {
  const current = useApp();
  return (
    <>
      <PageHeader
        title={collection.name}
        description={<Declaration collection={collection} />}
        actions={
          <>
            <RoleButton
              needs={{ scope: 'data:write' }}
              leftSection={<PlusIcon size={18} />}
              onClick={openCreate}
            >
              Create record
            </RoleButton>
            {current.can('data:manage') && <CollectionMenu collection={collection} />}
          </>
        }
      />
      <Records collection={collection.name} />
    </>
  );

  function openCreate() {
    openDialog(
      'Create record',
      (close) => <CreateRecord current={current} collection={collection.name} onClose={close} />,
      { size: 'lg' },
    );
  }
}

function Declaration({ collection: { access_mode, building_fields } }: { collection: Collection }) {
  const { label, description } = accessModeTexts[access_mode];
  return (
    <Group gap="sm" component="span">
      <Badge component="span">{label}</Badge>
      <span>
        {building_fields.length > 0 ? `Building the index of ${building_fields.join(', ')}` : description}
      </span>
    </Group>
  );
}

function CollectionMenu({ collection }: { collection: Collection }) {
  const current = useApp();
  const navigate = useNextPage();

  function openSettings() {
    openDialog(`Settings of ${collection.name}`, (close) => (
      <CollectionForm current={current} collection={collection} onClose={close} />
    ));
  }

  function confirmDelete() {
    confirmAction({
      title: 'Delete this collection?',
      body: 'The collection and all its records are deleted, and calls of your app to it fail at once. This cannot be undone.',
      confirmLabel: 'Delete collection',
      typeToConfirm: collection.name,
      run: async () => {
        await deletion(
          current.api.collections.delete(collection.name, { records: 'delete' }),
          'data/collection-not-found',
        );
        notifySaved(`${collection.name} is deleted.`);
        await navigate({ to: '/apps/$appId/data', params: { appId: current.app.id } });
        // One that gets the same name later has other records.
        queryClient.removeQueries({ queryKey: recordsKey(current, collection.name) });
        queryClient.removeQueries({ queryKey: collectionQuery(current, collection.name).queryKey });
        await refreshCollections(current);
      },
    });
  }

  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" rightSection={<ChevronDownIcon size={16} />}>
          Actions
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={openSettings}>Access and indexes</Menu.Item>
        <Menu.Item color="red" onClick={confirmDelete}>
          Delete collection
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
