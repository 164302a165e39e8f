// The member's own account: profile, email, password, passkeys, second factor and devices.
import { SimpleGrid, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageHeader } from '../../components/page-header.tsx';
import { ChangeEmail } from './change-email.tsx';
import { ChangePassword } from './change-password.tsx';
import { OwnDevices } from './devices.tsx';
import { OwnPasskeys } from './passkeys.tsx';
import { OwnProfile } from './profile.tsx';
import { OwnSecondFactor } from './second-factor.tsx';

export function AccountPage() {
  return (
    <>
      <PageHeader title="Account" description="Your own team account, in every app of this service." />
      <Stack gap="xl">
        <SimpleGrid cols={{ base: 1, md: 3 }} spacing="xl">
          <Section title="Profile">
            <OwnProfile />
          </Section>
          <Section title="Email">
            <ChangeEmail />
          </Section>
          <Section title="Password">
            <ChangePassword />
          </Section>
        </SimpleGrid>
        <Section title="Passkeys">
          <OwnPasskeys />
        </Section>
        <Section title="Second factor">
          <OwnSecondFactor />
        </Section>
        <Section title="Devices">
          <OwnDevices />
        </Section>
      </Stack>
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="sm" component="section" aria-label={title}>
      <Title order={2}>{title}</Title>
      {children}
    </Stack>
  );
}
