// The users of an app: search as you type, filters in the URL, and paging.
import { isSearchLongEnough, limits } from '@foyer/contract';
import { Group, Loader, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { SearchIcon, UserPlusIcon, UsersIcon } from 'lucide-react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { openDialog } from '../../components/open-dialog.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { usePages } from '../../components/paged-list.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { RoleButton } from '../../components/role-button.tsx';
import { searchedText } from '../../components/searched-text.ts';
import { useTypedValue } from '../../components/use-typed-value.ts';
import { type CurrentApp, useApp } from '../../current-app.tsx';
import { serviceNow } from '../../service-clock.ts';
import { CreateUser } from './create-user.tsx';
import { UserFilters } from './filters.tsx';
import { filtersOf, findableWords } from './search.ts';
import { SelectedUsers } from './selected-users.tsx';
import { userColumns } from './user-columns.tsx';

const route = getRouteApi('/member/apps/$appId/users');

export function UsersPage() {
  const current = useApp();
  const { app, api } = current;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = usePages([app.id, 'users', search], (page, options) =>
    api.users.list({ ...filtersOf(search), ...page }, options),
  );
  const { order: _, ...filters } = search;
  const isNarrowed = Object.entries(filters).some(([name, value]) => name !== 'q' && value !== undefined);
  const filtered = Object.values(filters).some((value) => value !== undefined);
  const total = useTotal(current, { enabled: !filtered });
  const sortBy = (order: string) =>
    void navigate({
      search: (before) => ({ ...before, order: (order || undefined) as typeof search.order }),
      replace: true,
    });
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
      <PageHeader title="Users" actions={create} />
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
              {search.q === undefined
                ? 'No user has all the properties of the filters.'
                : `“${search.q}” begins no name and no email, and is no complete id or device token.`}
              {search.q !== undefined && isNarrowed && ' The filters may also leave a user out.'}
            </EmptyState>
          ) : (
            <EmptyState icon={UsersIcon} title="No users yet" action={create}>
              People who sign up in your app appear here. You can also create users yourself.
            </EmptyState>
          )
        }
        keyOf={({ uid }) => uid}
        nameOf={({ email }) => email}
        columns={userColumns}
        name="users"
        order={{ value: search.order ?? '', onChange: sortBy }}
        count={total !== undefined && countText(total)}
        csv={{
          fileName: `${app.name} users`,
          count: total,
          readPage: (page, options) => api.users.list({ ...filtersOf(search), ...page }, options),
        }}
        selection={(selected, select) => <SelectedUsers selected={selected} select={select} />}
      />
    </>
  );
}

/** The users of the app, without a filter: the service counts no others. */
function useTotal({ app, api }: CurrentApp, { enabled }: { enabled: boolean }): number | undefined {
  const { data } = useQuery({
    queryKey: [app.id, 'users', 'total'],
    queryFn: async ({ signal }) => {
      const today = new Date(serviceNow()).toISOString().slice(0, 10);
      return (await api.stats.daily({ from: today, to: today }, { signal })).totals.users;
    },
    enabled,
    staleTime: 300_000,
  });
  return enabled ? data : undefined;
}

function countText(users: number): string {
  const isMore = users >= limits.statsUsers;
  return `${users.toLocaleString()}${isMore ? ' or more' : ''} ${users === 1 ? 'user' : 'users'}`;
}

function SearchBox({ searching }: { searching: boolean }) {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { typed, setTyped, apply } = useTypedValue({
    value: q,
    onChange: (text) =>
      void navigate({ search: (search) => ({ ...search, q: text || undefined }), replace: true }),
    read: (text) => (isSearchLongEnough(text.trim()) ? searchedText(text) : ''),
    delayMilliseconds: 120,
  });
  const tooShort = typed.trim() !== '' && !isSearchLongEnough(typed.trim());
  return (
    <TextInput
      flex="1 1 14rem"
      aria-label="Search users"
      placeholder="Search users"
      type="search"
      leftSection={<SearchIcon size={16} />}
      rightSection={searching && typed !== '' && <Loader size={16} />}
      value={typed}
      maxLength={limits.maxPushTokenCharacters}
      onChange={(event) => setTyped(event.currentTarget.value)}
      // Before a link is followed: applied later, the search would lead back to the list.
      onBlur={() => apply()}
      description={
        tooShort ? `Type at least ${limits.userSearchCharacters.min} characters.` : `By ${findableWords}.`
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
    />
  );
}
