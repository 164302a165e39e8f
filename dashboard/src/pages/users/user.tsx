// One user: what the app knows about the account, and what the team can do to it.
import type { AdminUser } from '@foyer/contract';
import { Group, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { BackLink } from '../../components/links.tsx';
import { useListSearch } from '../../components/list-search.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { personName } from '../../components/person-name.ts';
import { QueryView } from '../../components/query-view.tsx';
import { useApp } from '../../current-app.tsx';
import { UserActions } from './actions.tsx';
import { AuditTrail } from './audit-trail.tsx';
import { CustomClaims } from './claims.tsx';
import { Devices } from './devices.tsx';
import { Files } from './files.tsx';
import { Identities } from './identities.tsx';
import { Loyalty } from './loyalty.tsx';
import { Notes } from './notes.tsx';
import { Profile } from './profile.tsx';
import { PushDevices } from './push-devices.tsx';
import { Records } from './records.tsx';
import { Security } from './security.tsx';
import { SignInState } from './sign-in-state.tsx';
import { UserBadges } from './user-badges.tsx';
import { userQuery } from './user-query.ts';

const route = getRouteApi('/member/apps/$appId/users/$uid');

const tabs: readonly { name: string; label: string; panel: ComponentType<{ user: AdminUser }> }[] = [
  { name: 'profile', label: 'Profile', panel: Profile },
  { name: 'notes', label: 'Notes', panel: Notes },
  { name: 'devices', label: 'Devices', panel: Devices },
  { name: 'identities', label: 'Identities', panel: Identities },
  { name: 'security', label: 'Passkeys and second factor', panel: Security },
  { name: 'push', label: 'Push devices', panel: PushDevices },
  { name: 'loyalty', label: 'Loyalty', panel: Loyalty },
  { name: 'claims', label: 'Claims', panel: CustomClaims },
  { name: 'records', label: 'Records', panel: Records },
  { name: 'files', label: 'Files', panel: Files },
  { name: 'audit', label: 'Audit trail', panel: AuditTrail },
];

export function UserPage() {
  const current = useApp();
  const { uid } = route.useParams();
  const query = useQuery(userQuery(current, uid));
  return (
    <>
      <BackLink to="/apps/$appId/users" params={{ appId: current.app.id }} search={useListSearch()}>
        Users
      </BackLink>
      <QueryView query={query} title="User">
        {(user) => <Loaded user={user} key={user.uid} />}
      </QueryView>
    </>
  );
}

function Loaded({ user }: { user: AdminUser }) {
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const name = personName(user);
  const open = tabs.some(({ name }) => name === tab) ? (tab as string) : 'profile';
  return (
    <>
      <PageHeader
        title={name || user.email}
        description={
          <Group gap="sm" component="span">
            {name && <span>{user.email}</span>}
            <UserBadges user={user} />
          </Group>
        }
        actions={<UserActions user={user} />}
      />
      <SignInState user={user} />
      <Tabs
        value={open}
        onChange={(value) =>
          void navigate({ search: value === 'profile' ? {} : { tab: value ?? '' }, state: true })
        }
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          {tabs.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ name, panel: Panel }) => (
          <Tabs.Panel key={name} value={name}>
            <Panel user={user} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
