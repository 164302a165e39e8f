// Who receives a message.
import { Alert, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { MessageValues, Target } from './message-form.ts';

const targets: { value: Target; label: string }[] = [
  { value: 'topic', label: 'Devices subscribed to a topic' },
  { value: 'uids', label: 'Devices of certain users' },
  { value: 'device_ids', label: 'Certain devices' },
  { value: 'all', label: 'All devices of the app' },
];

export function TargetFields({ form }: { form: UseFormReturnType<MessageValues> }) {
  const { target } = form.values;
  return (
    <Stack>
      <Radio.Group label="Send to" {...form.getInputProps('target')}>
        <Stack gap="xs" mt="xs">
          {targets.map(({ value, label }) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Stack>
      </Radio.Group>
      {target === 'topic' && <TextInput label="Topic" required {...form.getInputProps('topic')} />}
      {(target === 'uids' || target === 'device_ids') && (
        <Textarea
          label={target === 'uids' ? 'User ids' : 'Device ids'}
          description="Up to 1,000, separated by spaces or lines. Unknown ones are ignored."
          required
          autosize
          minRows={3}
          maxRows={8}
          spellCheck={false}
          {...form.getInputProps('ids')}
        />
      )}
      {(target === 'topic' || target === 'all') && (
        <Alert color="orange">
          Anyone with your app can register a device and subscribe to topics, so do not send personal data
          this way.
        </Alert>
      )}
    </Stack>
  );
}
