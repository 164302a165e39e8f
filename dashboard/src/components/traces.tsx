// What a member or a secret key that is about to be removed leaves in the app, with the pages where it is replaced.
import type { MemberTrace } from '@foyer/contract';
import { List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { consoleApi } from '../api.ts';
import { TextLink } from './links.tsx';
import { QueryView } from './query-view.tsx';

type Props = { appId: string; of: 'member' | 'key'; id: string };

export function Traces({ appId, of, id }: Props) {
  const query = useQuery({
    queryKey: ['console', 'traces', appId, of, id],
    queryFn: ({ signal }) =>
      of === 'member'
        ? consoleApi.console.listTraces(appId, id, { signal })
        : consoleApi.console.listTracesOfKey(appId, id, { signal }),
  });
  return (
    <QueryView query={query} loading={<Text size="sm">Looking for what this {of} leaves…</Text>}>
      {({ items }) => items.length > 0 && <TraceList appId={appId} items={items} />}
    </QueryView>
  );
}

function TraceList({ appId, items }: { appId: string; items: MemberTrace[] }) {
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        This stays and could still be used. Replace it:
      </Text>
      <List size="sm">
        {items.map((trace) => (
          <List.Item key={`${trace.kind} ${trace.id}`} style={{ overflowWrap: 'anywhere' }}>
            <TraceLink appId={appId} {...trace} />
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}

/** Opens in another tab, so that the dialog stays. */
function TraceLink({ appId, kind, id, name }: MemberTrace & { appId: string }) {
  const tab = { target: '_blank', size: 'sm' } as const;
  if (kind === 'secret_key') {
    return (
      <TextLink to="/apps/$appId/keys" params={{ appId }} {...tab}>
        Revoke the secret key {name}
      </TextLink>
    );
  }
  if (kind === 'webhook') {
    return (
      <TextLink to="/apps/$appId/webhooks/$webhookId" params={{ appId, webhookId: id }} {...tab}>
        Check the webhook {name} and rotate its secret
      </TextLink>
    );
  }
  if (kind === 'collection') {
    return (
      <TextLink to="/apps/$appId/data/$collection" params={{ appId, collection: id }} {...tab}>
        Check who can read and change the collection {name}
      </TextLink>
    );
  }
  if (kind === 'push_message') {
    return (
      <TextLink to="/apps/$appId/push/$messageId" params={{ appId, messageId: id }} {...tab}>
        Cancel the scheduled message {name}
      </TextLink>
    );
  }
  return (
    <TextLink to="/apps/$appId/settings" params={{ appId }} {...tab}>
      Check the setting {name}
    </TextLink>
  );
}
