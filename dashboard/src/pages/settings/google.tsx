// The section Google (provider A).
import { TextInput } from '@mantine/core';
import { ProviderCheck } from './provider-check.tsx';
import { SectionForm } from './section-form.tsx';
import { type SectionProps, useSection } from './use-section.ts';

export function Google({ settings }: SectionProps) {
  const section = useSection({
    settings,
    valuesOf: ({ provider_a: { client_ids } }) => ({
      provider_a: {
        client_ids: {
          web: client_ids.web ?? '',
          ios: client_ids.ios ?? '',
          android: client_ids.android ?? '',
        },
      },
    }),
  });
  const { form } = section;
  const input = (name: string) => form.getInputProps(`provider_a.client_ids.${name}`);
  return (
    <SectionForm
      title="Google"
      description="Create OAuth client ids in the Google Cloud console, under APIs & Services, Credentials. Without a client id, sign-in with Google is off."
      section={section}
      inputs={['provider_a']}
      after={<ProviderCheck provider="provider-a" name="Google" unsaved={section.dirty} />}
    >
      <TextInput
        label="Client id for the web"
        placeholder="1234567890-abc.apps.googleusercontent.com"
        description="Android apps also use it, as the server client id."
        spellCheck={false}
        {...input('web')}
      />
      <TextInput label="Client id for iOS" spellCheck={false} {...input('ios')} />
      <TextInput label="Client id for Android" spellCheck={false} {...input('android')} />
    </SectionForm>
  );
}
