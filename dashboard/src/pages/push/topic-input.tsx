// A topic: those to which devices are subscribed are suggested, with how many.
import type { PushTopic } from '@foyer/contract';
import { Autocomplete, type AutocompleteProps, Group, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { devicesText } from '../../components/quantities.ts';
import { useApp } from '../../current-app.tsx';

const typingMilliseconds = 120;
const shownTopics = 20;

export function TopicInput({ value = '', ...input }: Omit<AutocompleteProps, 'data'>) {
  const { app, api } = useApp();
  const [prefix] = useDebouncedValue(value, typingMilliseconds);
  const { data } = useQuery({
    queryKey: [app.id, 'push-topics', prefix],
    queryFn: ({ signal }) => api.push.topics({ prefix, limit: shownTopics }, { signal }),
    placeholderData: keepPreviousData,
  });
  const topics = new Map(data?.items.map((topic) => [topic.topic, topic]));
  return (
    <Autocomplete
      label="Topic"
      required
      maxLength={100}
      spellCheck={false}
      value={value}
      data={[...topics.keys()]}
      // They are those that the service has found.
      filter={({ options }) => options}
      renderOption={({ option }) => <Option topic={topics.get(option.value)} />}
      {...input}
    />
  );
}

function Option({ topic }: { topic: PushTopic | undefined }) {
  return (
    topic && (
      <Group justify="space-between" flex={1} gap="sm">
        <Text size="sm">{topic.topic}</Text>
        <Text size="xs" c="inherit">
          {subscribedText(topic)}
        </Text>
      </Group>
    )
  );
}

function subscribedText({ device_count, is_exact }: PushTopic): string {
  return is_exact ? devicesText(device_count) : `more than ${devicesText(device_count)}`;
}
