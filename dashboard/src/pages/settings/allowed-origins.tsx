// The section Allowed origins.
import { Textarea } from '@mantine/core';
import { SectionForm } from './section-form.tsx';
import { faultsIn } from './settings-patch.ts';
import { type SectionProps, useSection } from './use-section.ts';

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function AllowedOrigins({ settings }: SectionProps) {
  const section = useSection({
    settings,
    valuesOf: ({ allowed_origins }) => ({ allowed_origins: allowed_origins.join('\n') }),
    settingsOf: ({ allowed_origins }) => ({ allowed_origins: linesOf(allowed_origins) }),
    inputOf: () => 'allowed_origins',
  });
  const { form } = section;
  const { error, ...input } = form.getInputProps('allowed_origins');
  const wrong = linesOf(form.values.allowed_origins).filter(
    (origin) => Object.keys(faultsIn({ allowed_origins: [origin] })).length > 0,
  );
  return (
    <SectionForm
      title="Allowed origins"
      description="The websites that may call the API from a browser with this app's key. Mobile apps and backends are not affected."
      section={section}
      inputs={['allowed_origins']}
    >
      <Textarea
        label="Origins, one per line"
        description="Empty allows all websites."
        placeholder="https://app.example.com"
        autosize
        minRows={4}
        maxRows={16}
        spellCheck={false}
        error={
          error && wrong.length > 0
            ? `${wrong.join(', ')}: must be an origin such as https://app.example.com.`
            : error
        }
        {...input}
      />
    </SectionForm>
  );
}
