// What is known of common providers: what to enter for one, and where it shows the client id and takes the callback URL.
import type { AppSettings } from '@foyer/contract';

export type ProviderPreset = {
  label: string;
  kind: AppSettings['providers'][string]['kind'];
  /** The id and the name that are entered for it. */
  id: string;
  name: string;
  issuer: string;
  /** The host of its issuers, by which a stored provider is recognized. */
  host: string | null;
  /** What to do at the provider, and what to know of its users. */
  hints: readonly string[];
};

export const providerPresets: readonly ProviderPreset[] = [
  {
    label: 'GitHub',
    kind: 'github',
    ...{ id: 'github', name: 'GitHub', issuer: 'https://github.com', host: 'github.com' },
    hints: [
      'In GitHub open Settings, Developer settings, OAuth Apps, New OAuth App. Enter the callback URL below, register, and generate a client secret.',
      'A GitHub App works too, with the account permission Email addresses (read-only). For GitHub Enterprise Server the issuer is the URL of the server.',
    ],
  },
  {
    label: 'Microsoft (one tenant)',
    kind: 'oidc',
    ...{ id: 'microsoft', name: 'Microsoft', host: 'login.microsoftonline.com' },
    issuer: 'https://login.microsoftonline.com/<tenant id>/v2.0',
    hints: [
      'In the Microsoft Entra admin center open App registrations, New registration. Add the callback URL below as a redirect URI of the platform Web, and a client secret under Certificates & secrets: enter its value, not its id.',
      'Put the Directory (tenant) ID into the issuer, for personal accounts 9188040d-6c67-4c5b-b112-36a304b66dad. The tenants common and organizations have no issuer of their own and cannot be used.',
      'Microsoft does not say whether an email is verified, and an administrator of a tenant can enter any: leave its emails untrusted. Work accounts without a mailbox have none, and cannot create an account.',
    ],
  },
  {
    label: 'GitLab',
    kind: 'oidc',
    ...{ id: 'gitlab', name: 'GitLab', issuer: 'https://gitlab.com', host: 'gitlab.com' },
    hints: [
      'In GitLab open Preferences, Applications, or Settings, Applications of a group. Enter the callback URL below as the redirect URI, leave Confidential on, and select the scopes openid, profile and email.',
      'For GitLab Self-Managed the issuer is the URL of the server.',
    ],
  },
  {
    label: 'Another OpenID provider',
    kind: 'oidc',
    ...{ id: '', name: '', issuer: '', host: null },
    hints: [
      'Create a confidential client (web application) with the authorization code flow, and enter the callback URL below as its redirect URI. The provider must return the nonce in its ID tokens, and should support PKCE.',
    ],
  },
];

/** What is known of a provider that is entered or stored. */
export function presetOf(kind: ProviderPreset['kind'], issuer: string): ProviderPreset {
  const host = /^https:\/\/([^/:]+)/.exec(issuer)?.[1];
  const isOf = (preset: ProviderPreset) =>
    preset.kind === kind && (kind === 'github' || preset.host === null || preset.host === host);
  return providerPresets.find(isOf) as ProviderPreset;
}
