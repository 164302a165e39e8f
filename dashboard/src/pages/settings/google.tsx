// The section Google (provider A).
import { CallbackUrl } from './callback-url.tsx';
import { idsOf } from './lines.ts';
import { LinesInput } from './lines-input.tsx';
import { ProviderCheck } from './provider-check.tsx';
import { ProviderProblems } from './provider-problems.tsx';
import { SectionForm } from './section-form.tsx';
import { type SectionProps, useSection } from './use-section.ts';
import { type Secret, WriteOnly } from './write-only.tsx';

type SecretInput = Pick<Parameters<typeof WriteOnly>[0], 'value' | 'onChange' | 'error'>;

const platforms = ['web', 'ios', 'android'] as const;

export function Google({ settings }: SectionProps) {
  const section = useSection({
    settings,
    valuesOf: ({ provider_a: { client_ids } }) => ({
      provider_a: {
        client_secret: undefined as Secret,
        client_ids: {
          web: client_ids.web.join('\n'),
          ios: client_ids.ios.join('\n'),
          android: client_ids.android.join('\n'),
        },
      },
    }),
    settingsOf: ({ provider_a: { client_ids, client_secret: secret } }) => ({
      provider_a: {
        // An empty input is one that was opened and not filled in.
        ...(secret !== undefined && secret !== '' && { client_secret: secret }),
        client_ids: Object.fromEntries(platforms.map((platform) => [platform, idsOf(client_ids[platform])])),
      },
    }),
    inputOf: (field) => field.replace(/\.\d+$/, ''),
  });
  const { form } = section;
  const input = (name: (typeof platforms)[number]) => form.getInputProps(`provider_a.client_ids.${name}`);
  return (
    <SectionForm
      title="Google"
      description="Create OAuth client ids in the Google Cloud console, under APIs & Services, Credentials, and enter them one per line. Without a client id, sign-in with Google is off."
      section={section}
      inputs={['provider_a']}
      after={
        <>
          <ProviderCheck provider="provider-a" name="Google" unsaved={section.dirty} />
          <ProviderProblems provider="provider-a" />
        </>
      }
    >
      <LinesInput
        label="Client ids for the web"
        placeholder="1234567890-abc.apps.googleusercontent.com"
        description="Android apps also use one, as the server client id: then the clients of your signing certificates need not be entered."
        {...input('web')}
      />
      <LinesInput label="Client ids for iOS" {...input('ios')} />
      <LinesInput label="Client ids for Android" {...input('android')} />
      <WriteOnly
        label="Client secret"
        description="For sign-in by redirect: the secret of the first client id for the web."
        placeholder="GOCSPX-…"
        stored={settings.provider_a.client_secret_set}
        fault={null}
        {...(form.getInputProps('provider_a.client_secret') as SecretInput)}
      />
      <CallbackUrl provider="provider-a" label="Google" redirectUris={settings.redirect_uris} />
    </SectionForm>
  );
}
