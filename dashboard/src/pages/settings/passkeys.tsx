// The section Passkeys: the domain that they are bound to, and the files by which mobile apps may use them.
import { Switch, TextInput } from '@mantine/core';
import { useApp } from '../../current-app.tsx';
import { linesOf } from './lines.ts';
import { LinesInput } from './lines-input.tsx';
import { PasskeyFiles } from './passkey-files.tsx';
import { ProviderCheck } from './provider-check.tsx';
import { SectionForm } from './section-form.tsx';
import { type SectionProps, useSection } from './use-section.ts';

export function Passkeys({ settings }: SectionProps) {
  const { app } = useApp();
  const section = useSection({
    settings,
    valuesOf: ({ passkeys }) => ({
      passkeys: {
        on: passkeys !== null,
        rp_id: passkeys?.rp_id ?? '',
        rp_name: passkeys?.rp_name ?? app.name,
        origins: passkeys?.origins.join('\n') ?? '',
      },
    }),
    settingsOf: ({ passkeys: { on, origins, ...names } }) => ({
      passkeys: on ? { ...names, origins: linesOf(origins) } : null,
    }),
    inputOf: (field) => field.replace(/\.\d+$/, ''),
  });
  const { form } = section;
  const { on } = form.values.passkeys;
  return (
    <SectionForm
      title="Passkeys"
      description="Users sign in with the fingerprint, face or PIN of their device, without a password."
      section={section}
      inputs={['passkeys']}
      after={
        settings.passkeys && (
          <>
            <PasskeyFiles settings={settings} passkeys={settings.passkeys} />
            <ProviderCheck provider={null} name="the domain" unsaved={section.dirty} />
          </>
        )
      }
    >
      <Switch
        label="Sign-in with passkeys"
        description={
          settings.passkeys && !on
            ? 'The passkeys of users stay stored, and work again with the same domain.'
            : 'Users add passkeys in your app.'
        }
        {...form.getInputProps('passkeys.on', { type: 'checkbox' })}
      />
      {on && (
        <>
          <TextInput
            label="Domain (rp id)"
            description="The domain of your pages, or the one above it. After a change, the passkeys that users have no longer work."
            placeholder="example.com"
            spellCheck={false}
            autoCapitalize="none"
            {...form.getInputProps('passkeys.rp_id')}
          />
          <TextInput
            label="Name"
            description="Shown when a passkey is created."
            {...form.getInputProps('passkeys.rp_name')}
          />
          <LinesInput
            label="Origins, one per line"
            description="The pages that use passkeys: https, with a host that is the domain or below it (http for localhost). For an Android app android:apk-key-hash: and the SHA-256 of its signing certificate in base64url."
            placeholder="https://app.example.com"
            minRows={2}
            {...form.getInputProps('passkeys.origins')}
          />
        </>
      )}
    </SectionForm>
  );
}
