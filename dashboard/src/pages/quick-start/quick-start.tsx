// The first calls of a developer, to copy: filled with the URL of the service and the key of the app.
import { Anchor, List, Paper, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Copyable } from '../../components/copyable.tsx';
import { TextLink } from '../../components/links.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Snippet } from '../../components/snippet.tsx';
import { useApp } from '../../current-app.tsx';
import { pageConfig } from '../../page-config.ts';
import { accountPageUrl, clientSnippets, type Snippets, screenLines, serverSnippets } from './snippets.ts';

const route = getRouteApi('/member/apps/$appId/quick-start');

export function QuickStartPage() {
  const { app } = useApp();
  const { with: language = 'curl' } = route.useSearch();
  const navigate = route.useNavigate();
  const { api, sdk, elements } = pageConfig;
  return (
    <>
      <PageHeader
        title="Quick start"
        description={`The first calls of ${app.name}, ready to copy.`}
        actions={
          <SegmentedControl
            aria-label="Language of the snippets"
            value={language}
            onChange={(value) =>
              void navigate({ search: value === 'sdk' ? { with: 'sdk' } : {}, replace: true })
            }
            data={[
              { value: 'curl', label: 'curl' },
              { value: 'sdk', label: 'JavaScript' },
            ]}
          />
        }
      />
      <Stack gap="xl">
        <SimpleGrid cols={{ base: 1, md: 3 }}>
          <Fact name="Base URL" value={api} />
          <Fact name="App key" value={app.app_key} />
          <Fact name="App id" value={app.id} />
        </SimpleGrid>
        {elements && <AccountPage />}
        {language === 'sdk' && sdk && <Install packageUrl={sdk} />}
        <Steps steps={clientSnippets(api, app.app_key)} language={language} />
        {language === 'sdk' && sdk && elements && <ReadyScreens packageUrls={`${sdk} ${elements}`} />}
        <Stack gap="xs">
          <Steps steps={serverSnippets(api, app.app_key, app.id)} language={language} />
          <Text size="sm">
            Create a secret key under{' '}
            <TextLink to="/apps/$appId/keys" params={{ appId: app.id }} underline="always">
              Keys
            </TextLink>
            .
          </Text>
        </Stack>
        <Documentation />
      </Stack>
    </>
  );
}

function Install({ packageUrl }: { packageUrl: string }) {
  return (
    <Stack gap="xs" component="section" aria-label="Install the SDK">
      <Title order={2}>Install the SDK</Title>
      <Text size="sm">This service serves the SDK of its own version. It has no dependencies.</Text>
      <Snippet text={`npm install ${packageUrl}`} label="install command" />
    </Stack>
  );
}

function ReadyScreens({ packageUrls }: { packageUrls: string }) {
  const { app } = useApp();
  return (
    <Stack gap="xs" component="section" aria-label="Ready screens">
      <Title order={2}>Ready screens</Title>
      <Text size="sm">
        Sign-in and account screens for web apps, in place of your own. The guide is{' '}
        <Anchor href="/docs/sdk/ready-screens" target="_blank" rel="noreferrer" inherit underline="always">
          Ready screens
        </Anchor>
        .
      </Text>
      <Snippet text={`npm install ${packageUrls}`} label="install command of the ready screens" />
      <Snippet text={screenLines(pageConfig.api, app.app_key)} label="two lines of the page" />
    </Stack>
  );
}

/** Also for app stores, which ask where users delete their accounts. */
function AccountPage() {
  const { app } = useApp();
  return (
    <Stack gap="xs" component="section" aria-label="Account page">
      <Title order={2}>Account page</Title>
      <Text size="sm">
        This service has a page where users of {app.name} sign in, and manage or delete their account: the URL
        that an app store asks for.
      </Text>
      <Copyable value={accountPageUrl(pageConfig.api, app.app_key)} label="account page" />
    </Stack>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <Stack gap={4}>
      <Text fw={500} size="sm">
        {name}
      </Text>
      <Copyable value={value} label={name.toLowerCase()} />
    </Stack>
  );
}

function Steps({ steps, language }: { steps: Snippets; language: 'curl' | 'sdk' }) {
  return steps.map((step) => (
    <Stack key={step.title} gap="xs" component="section" aria-label={step.title}>
      <Title order={2}>{step.title}</Title>
      <Text size="sm">{step.text}</Text>
      <Snippet text={step[language]} label={`source of step ${step.title}`} />
    </Stack>
  ));
}

/** The documents are served beside the dashboard. */
function Documentation() {
  return (
    <Paper withBorder p="lg" component="section" aria-label="Documentation">
      <Title order={2} mb="xs">
        Documentation
      </Title>
      <List size="sm">
        {pageConfig.sdk && (
          <List.Item>
            <Anchor href="/docs/sdk" target="_blank" rel="noreferrer" inherit underline="always">
              Guides of the SDK
            </Anchor>{' '}
            by platform and by feature; for coding agents,{' '}
            <Anchor href="/llms.txt" target="_blank" rel="noreferrer" inherit underline="always">
              llms.txt
            </Anchor>
          </List.Item>
        )}
        <List.Item>
          <Anchor href="/docs" target="_blank" rel="noreferrer" inherit underline="always">
            Every endpoint
          </Anchor>{' '}
          with its fields, errors and limits
        </List.Item>
        <List.Item>
          <Anchor href="/api/v2/openapi.json" target="_blank" rel="noreferrer" inherit underline="always">
            The OpenAPI document
          </Anchor>{' '}
          for generated clients
        </List.Item>
      </List>
    </Paper>
  );
}
