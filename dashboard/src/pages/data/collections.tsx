// The collections of an app.
import type { Collection } from '@foyer/contract';
import { Badge, Text } from '@mantine/core';
import { DatabaseIcon, PlusIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { TextLink } from '../../components/links.tsx';
import { ListCard } from '../../components/list-card.tsx';
import { openDialog } from '../../components/open-dialog.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedStack, usePages } from '../../components/paged-list.tsx';
import { RoleButton } from '../../components/role-button.tsx';
import { useNextPage } from '../../components/use-next-page.ts';
import { useApp } from '../../current-app.tsx';
import { CollectionForm } from './collection-form.tsx';
import { accessModeTexts, collectionsKey } from './collection-words.ts';

const needs = { scope: 'data:manage' } as const;

export function CollectionsPage() {
  const current = useApp();
  const navigate = useNextPage();
  const open = (collection: string) =>
    navigate({ to: '/apps/$appId/data/$collection', params: { appId: current.app.id, collection } });
  const openCreate = () =>
    openDialog('Create collection', (close) => (
      <CollectionForm current={current} onClose={close} onSaved={({ name }) => void open(name)} />
    ));
  const create = (
    <RoleButton needs={needs} leftSection={<PlusIcon size={18} />} onClick={openCreate}>
      Create collection
    </RoleButton>
  );
  return (
    <>
      <PageHeader
        title="Data"
        description="Collections of JSON records, which your app reads and writes as their access allows."
        actions={create}
      />
      <CollectionList create={create} />
    </>
  );
}

function CollectionList({ create }: { create: ReactNode }) {
  const current = useApp();
  const query = usePages(collectionsKey(current), (page, options) =>
    current.api.collections.list({ ...page, limit: 100 }, options),
  );
  return (
    <PagedStack
      query={query}
      empty={
        <EmptyState icon={DatabaseIcon} title="No collections yet" action={create}>
          A collection holds JSON records, such as notes or settings of users, without a server of your own.
        </EmptyState>
      }
    >
      {(collection) => <CollectionRow key={collection.name} collection={collection} appId={current.app.id} />}
    </PagedStack>
  );
}

function CollectionRow({ collection, appId }: { collection: Collection; appId: string }) {
  const { label, description } = accessModeTexts[collection.access_mode];
  const { indexed_fields, building_fields } = collection;
  return (
    <ListCard
      link={
        <TextLink
          to="/apps/$appId/data/$collection"
          params={{ appId, collection: collection.name }}
          fw={500}
          size="sm"
        >
          {collection.name}
        </TextLink>
      }
      state={<Badge>{label}</Badge>}
    >
      <Text size="sm">{description}</Text>
      <Text size="sm" c="dimmed">
        {indexed_fields.length === 0 ? 'No indexed fields' : `Indexed: ${indexed_fields.join(', ')}`}
        {building_fields.length > 0 && ` (being built: ${building_fields.join(', ')})`}
      </Text>
    </ListCard>
  );
}
