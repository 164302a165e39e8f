// The fields of a webhook, for a new one and for changes.
import { eventTypes, everyAuditEvent, isAuditType, type WebhookType } from '@foyer/contract';
import { Checkbox, MultiSelect, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { actionGroups } from '../../components/audit-words.ts';

export type WebhookValues = {
  url: string;
  description: string;
  which: 'all' | 'selected';
  types: WebhookType[];
};

export const webhookRules = {
  types: (types: WebhookType[], { which }: WebhookValues) =>
    which === 'selected' && types.length === 0 ? 'Choose at least one type.' : null,
};

export function bodyOf({ url, description, which, types }: WebhookValues) {
  return {
    url,
    description: description === '' ? null : description,
    types: which === 'all' ? [] : types,
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
          <Radio
            value="all"
            label="All events"
            description="Also those of later versions. Entries of the audit log are chosen one by one."
          />
          <Radio value="selected" label="Selected types" />
        </Stack>
      </Radio.Group>
      {form.values.which === 'selected' && <SelectedTypes form={form} />}
    </Stack>
  );
}

const auditTypes = [
  { value: everyAuditEvent, label: 'Every entry' },
  ...Object.entries(actionGroups).map(([group, words]) => ({
    group,
    items: Object.entries(words).map(([action, label]) => ({ value: `audit.${action}`, label })),
  })),
];

function SelectedTypes({ form }: Props) {
  const { types } = form.values;
  const entries = types.filter(isAuditType);
  const events = types.filter((type) => !isAuditType(type));
  const change = (chosen: string[]) => form.setFieldValue('types', chosen as WebhookType[]);
  return (
    <>
      <Checkbox.Group
        aria-label="Types of events"
        {...form.getInputProps('types')}
        value={events}
        onChange={(chosen) => change([...chosen, ...entries])}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
          {eventTypes.map((type) => (
            <Checkbox key={type} value={type} label={type} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <MultiSelect
        label="Entries of the audit log"
        description="Sign-ins are most of them: choose single actions where you can."
        placeholder={entries.length === 0 ? 'None' : undefined}
        searchable
        clearable
        value={entries}
        onChange={(chosen) => change([...events, ...chosen])}
        data={auditTypes}
        maxDropdownHeight={320}
      />
    </>
  );
}
