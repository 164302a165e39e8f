// The section Other providers: GitHub and OpenID providers of the app, each found by its issuer.
import { type AppSettings, limits } from '@foyer/contract';
import { Button, Fieldset, Group, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { PlusIcon } from 'lucide-react';
import { useState } from 'react';
import { CallbackUrl } from './callback-url.tsx';
import { idsOf, linesOf } from './lines.ts';
import { LinesInput } from './lines-input.tsx';
import { ProviderCheck } from './provider-check.tsx';
import { type ProviderPreset, presetOf, providerPresets } from './provider-presets.ts';
import { ProviderProblems } from './provider-problems.tsx';
import { SectionForm } from './section-form.tsx';
import { type SectionProps, useSection } from './use-section.ts';
import { type Secret, WriteOnly } from './write-only.tsx';

type Row = {
  kind: ProviderPreset['kind'];
  name: string;
  issuer: string;
  client_ids: string;
  trusts_email: boolean;
  scopes: string;
  client_secret: Secret;
};
type Values = { redirect_uris: string; providers: Record<string, Row> };

type SecretInput = Pick<Parameters<typeof WriteOnly>[0], 'value' | 'onChange' | 'error'>;

export function OtherProviders({ settings }: SectionProps) {
  const section = useSection({
    settings,
    valuesOf,
    settingsOf,
    inputOf: (field) => field.replace(/\.\d+$/, ''),
  });
  const { form } = section;
  const ids = Object.keys(form.values.providers);
  const set = (providers: Record<string, Row>) => form.setFieldValue('providers', providers);
  return (
    <SectionForm
      title="Other providers"
      description="Users sign in with GitHub by redirect, and with any OpenID provider by redirect or with an ID token. The service finds its endpoints and keys by the issuer."
      section={section}
      inputs={['providers', 'redirect_uris']}
      after={Object.entries(settings.providers).map(([id, { name }]) => (
        <Stack key={id} gap="lg" component="section" aria-label={name}>
          <ProviderCheck provider={id} name={name} unsaved={section.dirty} />
          <ProviderProblems provider={id} name={name} />
        </Stack>
      ))}
    >
      <LinesInput
        label="Redirect URIs, one per line"
        description="The pages and apps that users return to after a sign-in by redirect, compared character by character."
        placeholder="https://app.example.com/signed-in"
        {...form.getInputProps('redirect_uris')}
      />
      {ids.length === 0 && <Text size="sm">The app has no other provider.</Text>}
      {ids.map((id) => {
        const input = (name: keyof Row) => form.getInputProps(`providers.${id}.${name}`);
        const { kind, issuer } = form.values.providers[id] as Row;
        const { hints } = presetOf(kind, issuer);
        return (
          <Fieldset key={id} legend={id}>
            <Stack gap="sm">
              {hints.map((hint) => (
                <Text key={hint} size="sm">
                  {hint}
                </Text>
              ))}
              <TextInput label="Name" description="Shown to users." {...input('name')} />
              <TextInput
                label="Issuer"
                description={
                  kind === 'github'
                    ? 'https://github.com, or the URL of a GitHub Enterprise server.'
                    : 'As the discovery document writes it, with or without a slash at the end.'
                }
                placeholder={kind === 'github' ? 'https://github.com' : 'https://login.example.com'}
                spellCheck={false}
                autoCapitalize="none"
                {...input('issuer')}
              />
              <LinesInput
                label="Client ids, one per line"
                description="The first one signs in by redirect."
                {...input('client_ids')}
              />
              <WriteOnly
                label={`Client secret of ${id}`}
                description="For sign-in by redirect, where the provider issues one. It is removed when the issuer changes."
                placeholder="The secret of the first client id"
                stored={settings.providers[id]?.client_secret_set ?? false}
                fault={null}
                {...(input('client_secret') as SecretInput)}
              />
              <CallbackUrl provider={id} label={id} />
              <TextInput
                label="Scopes"
                description={`What sign-in by redirect asks for. Empty: ${defaultScopes[kind]}.`}
                spellCheck={false}
                autoCapitalize="none"
                {...input('scopes')}
              />
              <Switch
                label="Trust its emails"
                description="A verified email of the provider signs in to the account with that email. Leave it off if customers of the provider can enter any email."
                {...form.getInputProps(`providers.${id}.trusts_email`, { type: 'checkbox' })}
              />
              <Button
                variant="default"
                style={{ alignSelf: 'flex-start' }}
                onClick={() => set(without(form.values.providers, id))}
              >
                Remove {id}
              </Button>
            </Stack>
          </Fieldset>
        );
      })}
      {form.errors.providers && (
        <Text size="sm" c="var(--mantine-color-error)">
          {form.errors.providers}
        </Text>
      )}
      {ids.length < limits.providersPerApp && (
        <AddProvider taken={ids} onAdd={(id, row) => set({ ...form.values.providers, [id]: row })} />
      )}
    </SectionForm>
  );
}

/** The id is chosen first: it is the name in paths, and never changes. */
function AddProvider({ taken, onAdd }: { taken: string[]; onAdd: (id: string, row: Row) => void }) {
  const [place, setPlace] = useState('0');
  const preset = providerPresets[Number(place)] as (typeof providerPresets)[number];
  const [typed, setTyped] = useState<string | null>(null);
  const id = (typed ?? preset.id).trim();
  const fault = taken.includes(id) ? 'The app has a provider with this id.' : faultOf(id);
  return (
    <Group align="flex-end" gap="sm">
      <Select
        label="Add a provider"
        allowDeselect={false}
        data={providerPresets.map(({ label }, index) => ({ value: String(index), label }))}
        value={place}
        onChange={(value) => setPlace(value ?? '0')}
      />
      <TextInput
        label="Id"
        description="Its name in your app's code; it cannot be changed."
        value={typed ?? preset.id}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        error={typed === null ? null : fault}
      />
      <Button
        variant="default"
        leftSection={<PlusIcon size={18} />}
        disabled={fault !== null}
        onClick={() => {
          const { kind, name, issuer } = preset;
          onAdd(id, { ...newRow, kind, name, issuer });
          setTyped(null);
        }}
      >
        Add
      </Button>
    </Group>
  );
}

/** The service checks the same, and which ids are reserved. */
function faultOf(id: string): string | null {
  return /^[a-z][a-z0-9-]{0,31}$/.test(id) ? null : 'Lower-case letters, digits and hyphens.';
}

const defaultScopes = { oidc: 'openid email profile', github: 'read:user user:email' };

const newRow = { client_ids: '', trusts_email: false, scopes: '', client_secret: undefined };

function valuesOf({ redirect_uris, providers }: AppSettings): Values {
  const rows = Object.entries(providers).map(([id, provider]) => {
    const { kind, name, issuer, client_ids, trusts_email, scopes } = provider;
    const row: Row = {
      ...{ kind, name, issuer, trusts_email },
      client_ids: client_ids.join('\n'),
      scopes: (scopes ?? []).join(' '),
      client_secret: undefined,
    };
    return [id, row] as const;
  });
  return { redirect_uris: redirect_uris.join('\n'), providers: Object.fromEntries(rows) };
}

function settingsOf({ redirect_uris, providers }: Values) {
  const rows = Object.entries(providers).map(
    ([id, { client_ids, scopes, client_secret: secret, ...row }]) => {
      const wanted = idsOf(scopes);
      const provider = {
        ...row,
        client_ids: idsOf(client_ids),
        scopes: wanted.length === 0 ? null : wanted,
        // An empty input is one that was opened and not filled in.
        ...(secret !== undefined && secret !== '' && { client_secret: secret }),
      };
      return [id, provider] as const;
    },
  );
  return { redirect_uris: linesOf(redirect_uris), providers: Object.fromEntries(rows) };
}

function without(providers: Record<string, Row>, id: string): Record<string, Row> {
  return Object.fromEntries(Object.entries(providers).filter(([each]) => each !== id));
}
