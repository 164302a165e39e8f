// The section Second factor.
import { Radio, Stack } from '@mantine/core';
import { SectionForm } from './section-form.tsx';
import { type SectionProps, useSection } from './use-section.ts';

const rules = [
  { value: 'off', label: 'Off', description: 'What users have enrolled stays stored, and is not asked for.' },
  {
    value: 'optional',
    label: 'Optional',
    description: 'Users may enroll an authenticator app, and then need a code of it for every sign-in.',
  },
  {
    value: 'required',
    label: 'Required',
    description:
      'Users without one enroll it at their next sign-in; sessions that have started continue. A passkey that verifies its user is both steps.',
  },
] as const;

export function SecondFactor({ settings }: SectionProps) {
  const section = useSection({ settings, valuesOf: ({ second_factor }) => ({ second_factor }) });
  return (
    <SectionForm
      title="Second factor"
      description="A code of an authenticator app beside the first proof, whatever that is. API v1 has no second step: users who need one cannot sign in there, and their v1 tokens end when they enroll."
      section={section}
      inputs={['second_factor']}
    >
      <Radio.Group label="Second factor of users" {...section.form.getInputProps('second_factor')}>
        <Stack gap="xs" mt="xs">
          {rules.map((rule) => (
            <Radio key={rule.value} {...rule} />
          ))}
        </Stack>
      </Radio.Group>
    </SectionForm>
  );
}
