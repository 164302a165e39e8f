// One user: what the app knows about the account, and what the team can do to it.
import type { AdminUser } from '@foyer/contract';
import { Group, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { problemOf } from '../../api-problem.ts';
import { BackLink } from '../../components/links.tsx';
import { useListSearch } from '../../components/list-search.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { personName } from '../../components/person-name.ts';
import { QueryView } from '../../components/query-view.tsx';
import { useApp } from '../../current-app.tsx';
import { queryClient } from '../../query-client.ts';
import { isUlid } from '../../search-params.ts';
import { UserActions } from './actions.tsx';
import { AuditTrail } from './audit-trail.tsx';
import { CustomClaims } from './claims.tsx';
import { Devices } from './devices.tsx';
import { Files } from './files.tsx';
import { Identities } from './identities.tsx';
import { Loyalty } from './loyalty.tsx';
import { NewestNote, Notes, useNotesLabel } from './notes.tsx';
import { Profile } from './profile.tsx';
import { PushDevices } from './push-devices.tsx';
import { Records } from './records.tsx';
import { Security } from './security.tsx';
import { SignInState } from './sign-in-state.tsx';
import { UserBadges } from './user-badges.tsx';
import { signInStateKey, userQuery } from './user-query.ts';

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
  const query = useQuery({ ...userQuery(current, uid), enabled: isUlid(uid) });
  const isUnknown = query.error !== null && problemOf(query.error).code === 'auth/user-not-found';
  return (
    <>
      <BackLink to="/apps/$appId/users" params={{ appId: current.app.id }} search={useListSearch()}>
        Users
      </BackLink>
      {isUlid(uid) && !isUnknown ? (
        <QueryView query={query} title="User">
          {(user) => <Loaded user={user} key={user.uid} />}
        </QueryView>
      ) : (
        <NoSuchUser />
      )}
    </>
  );
}

function NoSuchUser() {
  return (
    <>
      <PageHeader title="There is no such user" />
      <Text>
        The link may be incomplete, or the account was deleted. Search for the user by name or email.
      </Text>
    </>
  );
}

function Loaded({ user }: { user: AdminUser }) {
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  const current = useApp();
  const notesLabel = useNotesLabel(user);
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
      <NewestNote user={user} />
      <SignInState user={user} />
      <Tabs
        value={open}
        onChange={(value) => {
          void navigate({ search: value === 'profile' ? {} : { tab: value ?? '' }, state: true });
          // The user may have tried again meanwhile.
          void queryClient.invalidateQueries({ queryKey: signInStateKey(current, user.uid) });
        }}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          {tabs.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name}>
              {name === 'notes' ? notesLabel : label}
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
