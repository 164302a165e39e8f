// What was sent in the last attempt of a delivery, and the beginning of the response: text of a stranger's server.
import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CodeBlock } from '../../components/code-block.tsx';
import { JsonText } from '../../components/json-text.tsx';
import { QueryView } from '../../components/query-view.tsx';
import type { CurrentApp } from '../../current-app.tsx';
import { deliveriesKey } from './webhook-query.ts';

type Props = { current: CurrentApp; webhookId: string; deliveryId: string; attempts: number };

export function DeliveryDetails({ current, webhookId, deliveryId, attempts }: Props) {
  const query = useQuery({
    queryKey: [...deliveriesKey(current, webhookId), deliveryId, attempts],
    queryFn: ({ signal }) => current.api.webhooks.delivery(webhookId, deliveryId, { signal }),
  });
  return (
    <QueryView query={query} loading={<Skeleton height={120} />}>
      {({ request, response_body }) => (
        <Stack gap="sm" mt="sm">
          {request === null ? (
            <Text size="sm" c="dimmed">
              Nothing was sent yet.
            </Text>
          ) : (
            <>
              <Text size="sm" fw={500}>
                Request to {request.url}
              </Text>
              <JsonText value={request.headers} label="Headers of the request, without the signature" />
              {request.body === null ? (
                <Text size="sm" c="dimmed">
                  The event is no longer stored.
                </Text>
              ) : (
                <JsonText value={jsonOr(request.body)} label="Body of the request" />
              )}
            </>
          )}
          <Text size="sm" fw={500}>
            Response
          </Text>
          {response_body === null ? (
            <Text size="sm" c="dimmed">
              No body.
            </Text>
          ) : (
            <CodeBlock label="Body of the response" maxHeight={240}>
              {response_body}
            </CodeBlock>
          )}
        </Stack>
      )}
    </QueryView>
  );
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
