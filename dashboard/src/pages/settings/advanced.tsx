// The section Advanced: tokens, and what few apps change about sign-in.
import { limits } from '@foyer/contract';
import { NativeSelect, NumberInput, Radio, Stack, Switch } from '@mantine/core';
import { durationText } from '../../components/quantities.ts';
import { SectionForm } from './section-form.tsx';
import { type SectionProps, useSection } from './use-section.ts';

const inputs = [
  'sign_up',
  'access_token_seconds',
  'token_algorithm',
  'recent_sign_in_minutes',
  'refuse_common_passwords',
  'new_device_notice',
] as const;

const { accessTokenSeconds, recentSignInMinutes } = limits;

export function Advanced({ settings }: SectionProps) {
  const section = useSection({
    settings,
    valuesOf: ({
      sign_up,
      access_token_seconds,
      token_algorithm,
      recent_sign_in_minutes,
      refuse_common_passwords,
      new_device_notice,
    }) => ({
      sign_up,
      access_token_seconds,
      token_algorithm,
      recent_sign_in_minutes,
      refuse_common_passwords,
      new_device_notice,
    }),
  });
  const { form } = section;
  const seconds = Number(form.values.access_token_seconds);
  return (
    <SectionForm
      title="Advanced"
      description="Who can create an account, and how long a sign-in is trusted."
      section={section}
      inputs={inputs}
    >
      <Radio.Group label="Sign-up" {...form.getInputProps('sign_up')}>
        <Stack gap="xs" mt="xs">
          <Radio value="open" label="Open" description="Anyone can create an account." />
          <Radio
            value="closed"
            label="Closed"
            description="Only your team and your backend create accounts; existing users still sign in."
          />
        </Stack>
      </Radio.Group>
      <NumberInput
        label="Access token lifetime in seconds"
        description={`${Number.isFinite(seconds) && seconds > 0 ? `${durationText(seconds)}. ` : ''}From ${accessTokenSeconds.min} (5 minutes) to ${accessTokenSeconds.max} (24 hours); applies to tokens issued from now on.`}
        allowDecimal={false}
        {...form.getInputProps('access_token_seconds')}
      />
      <NativeSelect
        label="Token signature"
        description="RS256 is for gateways that can verify RSA signatures only."
        data={[
          { value: 'ES256', label: 'ES256 (recommended)' },
          { value: 'RS256', label: 'RS256' },
        ]}
        {...form.getInputProps('token_algorithm')}
      />
      <NumberInput
        label="Recent sign-in in minutes"
        description={`How recent a sign-in must be to change an email or password or to delete the account. From ${recentSignInMinutes.min} to ${recentSignInMinutes.max}.`}
        allowDecimal={false}
        {...form.getInputProps('recent_sign_in_minutes')}
      />
      <Switch
        label="Reject common passwords"
        description="New passwords must not be among the 10,000 most common ones or equal the name of the app."
        {...form.getInputProps('refuse_common_passwords', { type: 'checkbox' })}
      />
      <Switch
        label="Notice of a new device"
        description="A mail tells users of a sign-in on a device that they have not used before."
        {...form.getInputProps('new_device_notice', { type: 'checkbox' })}
      />
    </SectionForm>
  );
}
