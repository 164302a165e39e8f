// The filters of the list of users.
import { Badge, Button, NativeSelect, Popover, Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { FunnelIcon } from 'lucide-react';
import { DayFilter } from '../../components/day-filter.tsx';
import { useProviderNames } from '../../provider-names.ts';
import type { UserSearch } from './search.ts';

const route = getRouteApi('/member/apps/$appId/users');

const any = { value: '', label: 'Any' };

export function UserFilters() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { q: _, order, ...filters } = search;
  const providers = useProviderNames();
  // Users may have linked a provider that the settings no longer have.
  const asked = search.provider;
  const options = asked === undefined || providers.has(asked) ? providers : providers.set(asked, asked);
  const active = Object.values(filters).filter((value) => value !== undefined).length;
  const set = (name: keyof UserSearch) => (value: string | undefined) =>
    void navigate({
      search: (before) => ({ ...before, [name]: value || undefined }) as UserSearch,
      replace: true,
    });
  return (
    <>
      <NativeSelect
        aria-label="Sort users"
        value={order ?? ''}
        onChange={(event) => set('order')(event.currentTarget.value)}
        data={[
          { value: '', label: 'Newest first' },
          { value: 'created_at', label: 'Oldest first' },
          { value: 'email', label: 'Email A to Z' },
          { value: '-email', label: 'Email Z to A' },
        ]}
      />
      <Popover width={260} position="bottom-end" trapFocus>
        <Popover.Target>
          <Button
            variant="default"
            leftSection={<FunnelIcon size={16} />}
            {...(active > 0 && {
              rightSection: (
                <Badge variant="filled" size="sm" circle>
                  {active}
                </Badge>
              ),
            })}
          >
            Filters
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <Stack gap="sm">
            <NativeSelect
              label="Account"
              value={search.disabled ?? ''}
              onChange={(event) => set('disabled')(event.currentTarget.value)}
              data={[any, { value: 'false', label: 'Active' }, { value: 'true', label: 'Disabled' }]}
            />
            <NativeSelect
              label="Email"
              value={search.email_verified ?? ''}
              onChange={(event) => set('email_verified')(event.currentTarget.value)}
              data={[any, { value: 'true', label: 'Verified' }, { value: 'false', label: 'Not verified' }]}
            />
            <NativeSelect
              label="Linked provider"
              value={search.provider ?? ''}
              onChange={(event) => set('provider')(event.currentTarget.value)}
              data={[any, ...[...options].map(([value, label]) => ({ value, label }))]}
            />
            <DayFilter label="Created from" value={search.created_after} onChange={set('created_after')} />
            <DayFilter
              label="Created before"
              value={search.created_before}
              onChange={set('created_before')}
            />
            <DayFilter label="Used v1 since" value={search.v1_used_after} onChange={set('v1_used_after')} />
            <Button
              variant="subtle"
              disabled={active === 0}
              onClick={() => void navigate({ search: ({ q, order }) => ({ q, order }), replace: true })}
            >
              Clear filters
            </Button>
          </Stack>
        </Popover.Dropdown>
      </Popover>
    </>
  );
}
