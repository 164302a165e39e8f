// The section Allowed origins.
import { linesOf } from './lines.ts';
import { LinesInput } from './lines-input.tsx';
import { SectionForm } from './section-form.tsx';
import { faultsIn } from './settings-patch.ts';
import { type SectionProps, useSection } from './use-section.ts';

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
      <LinesInput
        label="Origins, one per line"
        description="Empty allows all websites. https://*.example.com allows all subdomains. Apps and extensions: capacitor://localhost, tauri://localhost, chrome-extension://…; pages opened from a file: null."
        placeholder="https://app.example.com"
        minRows={4}
        error={
          error && wrong.length > 0
            ? `${wrong.join(', ')}: must be an origin such as https://app.example.com, https://*.example.com or capacitor://localhost.`
            : error
        }
        {...input}
      />
    </SectionForm>
  );
}
