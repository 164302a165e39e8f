// The section Passkeys: the domain that they are bound to, and the files by which mobile apps may use them.
import type { AppSettings } from '@foyer/contract';
import { Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApp } from '../../current-app.tsx';
import { lastPasskeys } from './last-passkeys.ts';
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
  const last = useLastPasskeys(settings);
  function onSwitch(isOn: boolean) {
    const typed = form.getValues().passkeys;
    const isEmpty = typed.rp_id === '' && typed.origins === '';
    const start = isOn && isEmpty && last ? { ...last, origins: last.origins.join('\n') } : typed;
    form.setFieldValue('passkeys', { ...start, on: isOn });
  }
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
        onChange={(event) => onSwitch(event.currentTarget.checked)}
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

/** Null while passkeys are on, and if the log does not have the change. */
function useLastPasskeys({ passkeys }: AppSettings) {
  const { app, api, can } = useApp();
  const { data } = useQuery({
    queryKey: [app.id, 'settings', 'last-passkeys'],
    queryFn: async ({ signal }) => {
      const { items } = await api.auditLog.list({ action: 'settings.updated', limit: 100 }, { signal });
      return lastPasskeys(items);
    },
    enabled: passkeys === null && can('audit:read'),
    staleTime: 0,
    gcTime: 0,
  });
  return (passkeys === null && data) || null;
}
