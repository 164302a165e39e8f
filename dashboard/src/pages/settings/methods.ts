// The ways to sign in that an app can offer, in the order of the list. A new one is a row here.
import type { AppSettings } from '@foyer/contract';
import type { SectionName } from '../../settings-sections.ts';

type Provider = 'provider-a' | 'provider-b';

export type Method = {
  name: string;
  /** As the statistics name it. */
  counter: string;
  /** `always` for what cannot be switched off. */
  isOn: (settings: AppSettings) => boolean | 'always';
  /** What is set up, or what is missing. */
  state: (settings: AppSettings) => string;
  section: SectionName;
  /** Whose configuration can be tested. */
  provider?: Provider;
};

export const methods: readonly Method[] = [
  {
    name: 'Password',
    counter: 'password',
    isOn: () => 'always',
    state: ({ refuse_common_passwords }) =>
      refuse_common_passwords ? 'Common passwords are rejected.' : 'Common passwords are accepted.',
    section: 'sign-in',
  },
  {
    name: 'Emailed code',
    counter: 'email_code',
    isOn: () => 'always',
    state: ({ deep_link }) =>
      deep_link === null ? 'A code without a link.' : 'A code, and a link that opens your app.',
    section: 'deep-link',
  },
  {
    name: 'Google',
    counter: 'provider_a',
    isOn: ({ provider_a: { client_ids } }) => idsOf(client_ids).length > 0,
    state: ({ provider_a: { client_ids, client_secret_set }, redirect_uris }) => {
      const ids = countText(idsOf(client_ids).length, 'client id');
      const isMissing = client_ids.web.length > 0 && client_secret_set && redirect_uris.length === 0;
      return isMissing ? `${ids} ${onAccountPageOnly}` : ids;
    },
    section: 'google',
    provider: 'provider-a',
  },
  {
    name: 'Apple',
    counter: 'provider_b',
    isOn: ({ provider_b: { services_ids, bundle_ids } }) => services_ids.length + bundle_ids.length > 0,
    state: ({ provider_b, redirect_uris }) => {
      const { services_ids, bundle_ids, private_key_set, private_key_fault } = provider_b;
      const ids = countText(services_ids.length + bundle_ids.length, 'identifier');
      if (private_key_fault !== null) return `${ids} The stored key ${private_key_fault}.`;
      const isOn = services_ids.length + bundle_ids.length > 0;
      if (isOn && !private_key_set)
        return `${ids} Without a private key, access is not revoked with an account.`;
      return services_ids.length > 0 && redirect_uris.length === 0 ? `${ids} ${withTokensOnly}` : ids;
    },
    section: 'apple',
    provider: 'provider-b',
  },
  {
    name: 'Other providers',
    counter: 'provider',
    isOn: ({ providers }) => Object.keys(providers).length > 0,
    state: ({ providers, redirect_uris }) => {
      const set = Object.values(providers);
      if (set.length === 0) return 'None is set up.';
      const names = `${set.map(({ name }) => name).join(', ')}.`;
      if (redirect_uris.length > 0) return names;
      return `${names} ${set.some((each) => each.client_secret_set) ? onAccountPageOnly : withTokensOnly}`;
    },
    section: 'providers',
  },
  {
    name: 'Passkey',
    counter: 'passkey',
    isOn: ({ passkeys }) => passkeys !== null,
    state: ({ passkeys }) => (passkeys ? `Bound to ${passkeys.rp_id}.` : 'No domain is stored.'),
    section: 'passkeys',
  },
];

const onAccountPageOnly =
  'No redirect URI is stored: sign-in by redirect works on the account page of the service only.';
const withTokensOnly = 'No redirect URI is stored: users sign in with ID tokens only.';

function idsOf(ids: Record<'web' | 'ios' | 'android', readonly string[]>): string[] {
  return [...ids.web, ...ids.ios, ...ids.android];
}

function countText(count: number, name: string): string {
  return count === 0 ? `No ${name} is stored.` : `${count} ${name}${count === 1 ? '' : 's'}.`;
}
