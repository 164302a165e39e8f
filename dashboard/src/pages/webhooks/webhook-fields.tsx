// The fields of a webhook, for a new one and for changes.
import { type EventType, eventTypes } from '@foyer/contract';
import { Checkbox, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

export type WebhookValues = {
  url: string;
  description: string;
  which: 'all' | 'selected';
  types: EventType[];
};

export const webhookRules = {
  types: (types: EventType[], { which }: WebhookValues) =>
    which === 'selected' && types.length === 0 ? 'Choose at least one type.' : null,
};

export function bodyOf({ url, description, which, types }: WebhookValues) {
  return {
    url,
    description: description === '' ? null : description,
    types: which === 'all' ? [] : eventTypes.filter((type) => types.includes(type)),
  };
}

type Props = { form: UseFormReturnType<WebhookValues> };

export function WebhookFields({ form }: Props) {
  return (
    <Stack>
      <TextInput
        label="URL"
        description="A public https URL. Redirects are not followed."
        placeholder="https://"
        type="url"
        required
        data-autofocus
        {...form.getInputProps('url')}
      />
      <TextInput
        label="Description"
        description="Optional, for the team."
        {...form.getInputProps('description')}
      />
      <Radio.Group label="Events" {...form.getInputProps('which')}>
        <Stack gap="xs" mt="xs">
          <Radio value="all" label="All events, including those of later versions" />
          <Radio value="selected" label="Selected types" />
        </Stack>
      </Radio.Group>
      {form.values.which === 'selected' && (
        <Checkbox.Group
          aria-label="Types of events"
          {...form.getInputProps('types')}
          onChange={(types) => form.setFieldValue('types', types as EventType[])}
        >
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
            {eventTypes.map((type) => (
              <Checkbox key={type} value={type} label={type} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
      )}
    </Stack>
  );
}
