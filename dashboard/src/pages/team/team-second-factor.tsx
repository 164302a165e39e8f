// Whether every member of every team needs a second factor.
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { consoleApi } from '../../api.ts';
import { confirmAction } from '../../components/confirm.tsx';
import { TextLink } from '../../components/links.tsx';
import { notifySaved } from '../../components/notify.ts';
import { QueryView } from '../../components/query-view.tsx';
import { useMe } from '../../member.ts';
import { queryClient } from '../../query-client.ts';

const teamSettingsKey = ['console', 'settings'];

export function TeamSecondFactor() {
  const query = useQuery({
    queryKey: teamSettingsKey,
    queryFn: ({ signal }) => consoleApi.console.getSettings({ signal }),
  });
  return (
    <Stack gap="sm" component="section" aria-label="Second factor">
      <Title order={2}>Second factor</Title>
      <QueryView query={query}>
        {({ second_factor }) => <Rule isRequired={second_factor === 'required'} />}
      </QueryView>
    </Stack>
  );
}

function Rule({ isRequired }: { isRequired: boolean }) {
  const { second_factor: hasFactor } = useMe();
  return (
    <>
      <Text size="sm" maw="65ch">
        {isRequired
          ? 'Every member of every app needs a second factor.'
          : 'A second factor is optional for members.'}
        {!isRequired && !hasFactor && (
          <>
            {' '}
            To require one, set up your own in{' '}
            <TextLink to="/account" underline="always">
              your account
            </TextLink>
            .
          </>
        )}
      </Text>
      <Group>
        <Button
          variant="default"
          disabled={!isRequired && !hasFactor}
          onClick={() => confirmRule(isRequired ? 'optional' : 'required')}
        >
          {isRequired ? 'No longer require it' : 'Require it of every member'}
        </Button>
      </Group>
    </>
  );
}

function confirmRule(second_factor: 'optional' | 'required') {
  const requires = second_factor === 'required';
  confirmAction({
    title: requires ? 'Require a second factor?' : 'No longer require a second factor?',
    body: requires
      ? 'It takes effect at once. Members whose session was started without a second factor must sign in again, and set one up if they have none.'
      : 'Members who have a second factor keep it, and still need it to sign in.',
    confirmLabel: requires ? 'Require it' : 'No longer require it',
    destructive: false,
    run: async () => {
      queryClient.setQueryData(teamSettingsKey, await consoleApi.console.updateSettings({ second_factor }));
      notifySaved('The settings are saved.');
    },
  });
}
