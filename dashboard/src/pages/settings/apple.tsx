// The section Apple (provider B).
import { TextInput } from '@mantine/core';
import { CallbackUrl } from './callback-url.tsx';
import { idsOf } from './lines.ts';
import { LinesInput } from './lines-input.tsx';
import { ProviderCheck } from './provider-check.tsx';
import { ProviderProblems } from './provider-problems.tsx';
import { SectionForm } from './section-form.tsx';
import { blankAsNull } from './settings-patch.ts';
import { type SectionProps, useSection } from './use-section.ts';
import { type Secret, WriteOnly } from './write-only.tsx';

export function Apple({ settings }: SectionProps) {
  const section = useSection({
    settings,
    valuesOf: ({ provider_b }) => ({
      provider_b: {
        services_ids: provider_b.services_ids.join('\n'),
        bundle_ids: provider_b.bundle_ids.join('\n'),
        team_id: provider_b.team_id ?? '',
        key_id: provider_b.key_id ?? '',
        private_key: undefined as Secret,
      },
    }),
    settingsOf: ({ provider_b: { services_ids, bundle_ids, ...rest } }) => ({
      provider_b: {
        ...(blankAsNull(rest) as object),
        services_ids: idsOf(services_ids),
        bundle_ids: idsOf(bundle_ids),
      },
    }),
    inputOf: (field) => field.replace(/\.\d+$/, ''),
  });
  const { form } = section;
  const input = (name: string) => form.getInputProps(`provider_b.${name}`);
  return (
    <SectionForm
      title="Apple"
      description="Take these values from the Apple Developer site, under Certificates, Identifiers & Profiles. Without a Services ID or bundle ID, sign-in with Apple is off."
      section={section}
      inputs={['provider_b']}
      after={
        <>
          <ProviderCheck provider="provider-b" name="Apple" unsaved={section.dirty} />
          <ProviderProblems provider="provider-b" />
        </>
      }
    >
      <LinesInput
        label="Services IDs"
        description="For the web and Android, one per line. The first one signs in by redirect."
        placeholder="com.example.orchard.web"
        {...input('services_ids')}
      />
      <LinesInput
        label="Bundle IDs"
        description="For the iOS apps, one per line."
        placeholder="com.example.orchard"
        {...input('bundle_ids')}
      />
      <TextInput label="Team ID" placeholder="A1B2C3D4E5" spellCheck={false} {...input('team_id')} />
      <TextInput
        label="Key ID"
        description="Of a key with Sign in with Apple enabled."
        placeholder="F6G7H8I9J0"
        spellCheck={false}
        {...input('key_id')}
      />
      <WriteOnly
        label="Private key"
        description="The .p8 file that belongs to the key ID. It is needed to revoke access when an account is deleted, and for sign-in by redirect."
        placeholder="-----BEGIN PRIVATE KEY-----"
        accept=".p8,.pem,.txt"
        stored={settings.provider_b.private_key_set}
        fault={settings.provider_b.private_key_fault}
        {...(input('private_key') as Pick<Parameters<typeof WriteOnly>[0], 'value' | 'onChange' | 'error'>)}
      />
      <CallbackUrl provider="provider-b" label="Apple" redirectUris={settings.redirect_uris} />
    </SectionForm>
  );
}
