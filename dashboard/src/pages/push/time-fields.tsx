// When a message is sent.
import { limits } from '@foyer/contract';
import { Radio, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { MessageValues } from './message-form.ts';

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function TimeFields({ form }: { form: UseFormReturnType<MessageValues> }) {
  return (
    <Stack gap="sm">
      <Radio.Group label="When" {...form.getInputProps('when')}>
        <Stack gap="xs" mt="xs">
          <Radio value="now" label="At once" />
          <Radio value="later" label="At a time" />
        </Stack>
      </Radio.Group>
      {form.values.when === 'later' && (
        <TextInput
          type="datetime-local"
          label="Send at"
          description={`In your time zone, ${zone}; at most ${limits.pushAheadDays} days ahead. Who is reached is decided then.`}
          required
          {...form.getInputProps('send_at')}
        />
      )}
    </Stack>
  );
}
