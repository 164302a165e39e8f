// The fields for the recipients of a message.
import { limits } from '@foyer/contract';
import { Alert, Radio, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { PeoplePicker } from '../../components/person-picker.tsx';
import { DevicePicker } from './device-picker.tsx';
import type { MessageValues, Target } from './message-form.ts';
import { TopicInput } from './topic-input.tsx';

const targets: { value: Target; label: string }[] = [
  { value: 'topic', label: 'Devices subscribed to a topic' },
  { value: 'uids', label: 'Certain people' },
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
      {target === 'topic' && <TopicInput {...form.getInputProps('topic')} />}
      {target === 'uids' && (
        <PeoplePicker
          label="People"
          description={`All devices of each. Up to ${limits.pushTargets.toLocaleString()}; a list of user ids can be pasted.`}
          max={limits.pushTargets}
          {...form.getInputProps('people')}
          value={form.values.people}
        />
      )}
      {target === 'device_ids' && (
        <DevicePicker {...form.getInputProps('devices')} value={form.values.devices} />
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
