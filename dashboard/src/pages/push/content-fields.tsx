// What a message says: the notification, data for the app, and options of delivery.
import { limits } from '@foyer/contract';
import {
  Accordion,
  ActionIcon,
  Button,
  Group,
  NativeSelect,
  NumberInput,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { PlusIcon, Trash2Icon } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { MessageValues } from './message-form.ts';

type Props = { form: UseFormReturnType<MessageValues> };

const optionFields = ['ttl_hours', 'priority', 'collapse_key', 'badge', 'sound'];

export function ContentFields({ form }: Props) {
  const [opened, setOpened] = useState<string[]>([]);
  const { errors } = form;
  // An error must not be hidden in a closed part.
  useEffect(() => {
    const fields = Object.keys(errors);
    const faulty = [
      ...(fields.some((field) => field.startsWith('data.')) ? ['data'] : []),
      ...(fields.some((field) => optionFields.includes(field)) ? ['options'] : []),
    ];
    setOpened((before) => [...new Set([...before, ...faulty])]);
  }, [errors]);
  return (
    <Stack>
      <TextInput label="Title" maxLength={limits.maxPushTitleCharacters} {...form.getInputProps('title')} />
      <Textarea
        label="Text"
        autosize
        minRows={3}
        maxLength={limits.maxPushBodyCharacters}
        {...form.getInputProps('body')}
      />
      <TextInput
        label="Image URL"
        description="Optional."
        placeholder="https://"
        {...form.getInputProps('image_url')}
      />
      <Accordion variant="contained" keepMounted={false} multiple value={opened} onChange={setOpened}>
        <Accordion.Item value="data">
          <Accordion.Control>Data for the app</Accordion.Control>
          <Accordion.Panel>
            <DataFields form={form} />
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="options">
          <Accordion.Control>Delivery options</Accordion.Control>
          <Accordion.Panel>
            <OptionFields form={form} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}

function DataFields({ form }: Props) {
  return (
    <Stack gap="sm">
      {form.values.data.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no other identity.
        <Group key={index} gap="xs" wrap="nowrap" align="flex-end">
          <TextInput label="Key" flex={1} {...form.getInputProps(`data.${index}.key`)} />
          <TextInput label="Value" flex={1} {...form.getInputProps(`data.${index}.value`)} />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Remove row ${index + 1}`}
            onClick={() => form.removeListItem('data', index)}
          >
            <Trash2Icon size={18} />
          </ActionIcon>
        </Group>
      ))}
      <Button
        variant="default"
        size="xs"
        leftSection={<PlusIcon size={16} />}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => form.insertListItem('data', { key: '', value: '' })}
      >
        Add a value
      </Button>
    </Stack>
  );
}

function OptionFields({ form }: Props) {
  return (
    <Stack gap="sm">
      <NumberInput
        label="Keep trying for (hours)"
        description="How long the provider stores the message for an unreachable device; 28 days by default."
        min={0}
        max={limits.maxPushTtlSeconds / 3_600}
        {...form.getInputProps('ttl_hours')}
      />
      <NativeSelect
        label="Priority"
        data={[
          { value: 'high', label: 'High' },
          { value: 'normal', label: 'Normal: may wait until the device is active' },
        ]}
        {...form.getInputProps('priority')}
      />
      <TextInput
        label="Collapse key"
        description="A later message with the same key replaces one that was not displayed yet."
        maxLength={limits.maxCollapseKeyCharacters}
        {...form.getInputProps('collapse_key')}
      />
      <Group grow align="flex-start">
        <NumberInput label="Badge (iOS)" min={0} max={limits.maxPushBadge} {...form.getInputProps('badge')} />
        <TextInput
          label="Sound (iOS, Android)"
          maxLength={limits.maxPushSoundCharacters}
          {...form.getInputProps('sound')}
        />
      </Group>
    </Stack>
  );
}
