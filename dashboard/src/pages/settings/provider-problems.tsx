// The last refused tokens of a provider and the last failed calls to it: why, and what to do.
import { type AuditAction, type AuditEntry, providerCallFailures, tokenRefusals } from '@foyer/contract';
import { Code, List, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { QueryView } from '../../components/query-view.tsx';
import { Time } from '../../components/time.tsx';
import { useApp } from '../../current-app.tsx';
import { callAdvice, refusalAdvice } from './problem-advice.ts';

const shown = 5;
const meanings: Record<string, string> = { ...tokenRefusals, ...providerCallFailures };
const advice: Record<string, string> = { ...refusalAdvice, ...callAdvice };
const claims = ['aud', 'azp', 'iss', 'kid'] as const;

export function ProviderProblems({ provider, name }: { provider: string; name?: string }) {
  return (
    <>
      <Entries
        title={name === undefined ? 'Last refused tokens' : `Last refused tokens of ${name}`}
        description="Sign-ins that were refused because of the token, and what the token claims. Anybody can write a token whose signature was not verified."
        none="No token was refused."
        {...{ provider, action: 'provider.token_refused' }}
      />
      {name !== undefined && (
        <Entries
          title={`Failed sign-ins by redirect with ${name}`}
          description="Users who came back from the provider with a code that could not be exchanged."
          none="No sign-in by redirect failed."
          {...{ provider, action: 'provider.exchange_failed' }}
        />
      )}
      {provider === 'provider-b' && (
        <>
          <Entries
            title="Failed revocations"
            description="Accounts that were deleted or unlinked, but whose access at Apple could not be revoked."
            none="No revocation failed."
            {...{ provider, action: 'provider.revocation_failed' }}
          />
          <Entries
            title="Failed exchanges of authorization codes"
            description="Without an exchanged code, nothing can be revoked when the account is deleted."
            none="No exchange failed."
            {...{ provider, action: 'provider.exchange_failed' }}
          />
        </>
      )}
    </>
  );
}

type Props = { title: string; description: string; none: string; provider: string; action: AuditAction };

function Entries({ title, description, none, provider, action }: Props) {
  const { app, api } = useApp();
  const query = useQuery({
    queryKey: [app.id, 'provider-problems', provider, action],
    queryFn: ({ signal }) =>
      api.auditLog.list({ action, target: `provider:${provider}`, limit: shown }, { signal }),
  });
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Text fw={600}>{title}</Text>
        <Text size="sm" c="dimmed">
          {description}
        </Text>
        <QueryView query={query}>
          {({ items }) =>
            items.length === 0 ? (
              <Text size="sm">{none}</Text>
            ) : (
              <List spacing="sm" listStyleType="none">
                {items.map((entry) => (
                  <Entry key={entry.id} entry={entry} />
                ))}
              </List>
            )
          }
        </QueryView>
      </Stack>
    </Paper>
  );
}

function Entry({ entry: { created_at, details } }: { entry: AuditEntry }) {
  const reason = String(details.reason ?? '');
  const times = Number(details.count ?? 1);
  const named = claims.filter((claim) => details[claim] !== undefined);
  return (
    <List.Item data-reason={reason}>
      <Text size="sm" fw={600}>
        {meanings[reason] ?? 'For several reasons.'} <Time at={created_at} />
        {times > 1 && `, ${times.toLocaleString()} times`}
      </Text>
      {advice[reason] && <Text size="sm">{advice[reason]}</Text>}
      {named.map((claim) => (
        <Text size="sm" key={claim} style={{ overflowWrap: 'anywhere' }}>
          {claim} <Code>{String(details[claim])}</Code>
        </Text>
      ))}
    </List.Item>
  );
}
