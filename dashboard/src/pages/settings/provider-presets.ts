// What is known of common OpenID providers, to begin with.

export type ProviderPreset = {
  label: string;
  /** The id and the name that are entered for it. */
  id: string;
  name: string;
  issuer: string;
};

export const providerPresets: readonly ProviderPreset[] = [
  {
    label: 'Microsoft (one tenant)',
    id: 'microsoft',
    name: 'Microsoft',
    issuer: 'https://login.microsoftonline.com/<tenant id>/v2.0',
  },
  { label: 'GitLab', id: 'gitlab', name: 'GitLab', issuer: 'https://gitlab.com' },
  { label: 'Another OpenID provider', id: '', name: '', issuer: '' },
];
