// The users of an app: search as you type, filters in the address, and paging.
import { Group, Loader, Text, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { SearchIcon, UserPlusIcon, UsersIcon } from 'lucide-react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { openDialog } from '../../components/open-dialog.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { usePages } from '../../components/paged-list.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { RoleButton } from '../../components/role-button.tsx';
import { useTypedValue } from '../../components/use-typed-value.ts';
import { useApp } from '../../current-app.tsx';
import { queryOf } from '../../search-params.ts';
import { CreateUser } from './create-user.tsx';
import { UserFilters } from './filters.tsx';
import { isLongEnough, minCharacters } from './search.ts';
import { userColumns } from './user-columns.tsx';

const route = getRouteApi('/member/apps/$appId/users');

export function UsersPage() {
  const current = useApp();
  const { app, api } = current;
  const search = route.useSearch();
  const query = usePages([app.id, 'users', search], (page) =>
    api.users.list({ ...page, query: { ...queryOf(search), ...page.query } }),
  );
  const { order: _, ...filters } = search;
  const filtered = Object.values(filters).some((value) => value !== undefined);
  const create = (
    <RoleButton
      needs={{ scope: 'users:write' }}
      leftSection={<UserPlusIcon size={18} />}
      onClick={() => openDialog('Create user', (close) => <CreateUser current={current} onClose={close} />)}
    >
      Create user
    </RoleButton>
  );
  return (
    <>
      <PageHeader title="Users" tabTitle={`Users of ${app.name}`} actions={create} />
      <Group mb="md" align="flex-start" gap="sm">
        <SearchBox searching={query.isFetching && !query.isFetchingNextPage} />
        <UserFilters />
      </Group>
      <PagedTable
        query={query}
        empty={
          filtered ? (
            <EmptyState
              icon={SearchIcon}
              title="No user matches"
              action={
                <ButtonLink variant="default" to="/apps/$appId/users" params={{ appId: app.id }}>
                  Clear search and filters
                </ButtonLink>
              }
            >
              The search finds the start of an email, first name or last name, or a complete user id or member
              id. Search for one name at a time.
            </EmptyState>
          ) : (
            <EmptyState icon={UsersIcon} title="No users yet" action={create}>
              People who sign up in your app appear here. You can also create users yourself.
            </EmptyState>
          )
        }
        keyOf={({ uid }) => uid}
        columns={userColumns}
      />
    </>
  );
}

function SearchBox({ searching }: { searching: boolean }) {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { typed, setTyped, apply } = useTypedValue({
    value: q,
    onChange: (text) =>
      void navigate({ search: (search) => ({ ...search, q: text || undefined }), replace: true }),
    read: (text) => (isLongEnough(text) ? text.trim() : ''),
    delayMilliseconds: 120,
  });
  const tooShort = typed.trim() !== '' && !isLongEnough(typed);
  return (
    <TextInput
      flex="1 1 14rem"
      aria-label="Search users"
      placeholder="Search by email, name, user id or member id"
      type="search"
      leftSection={<SearchIcon size={16} />}
      rightSection={searching && typed !== '' && <Loader size={16} />}
      value={typed}
      maxLength={100}
      onChange={(event) => setTyped(event.currentTarget.value)}
      // Before a link is followed: applied later, the search would lead back to the list.
      onBlur={() => apply()}
      {...(tooShort && {
        description: <Text inherit>Type at least {minCharacters} characters.</Text>,
        inputWrapperOrder: ['label', 'input', 'description', 'error'] as const,
      })}
    />
  );
}
