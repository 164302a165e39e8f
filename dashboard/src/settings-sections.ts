// The sections of the settings, in the order of the page: names for the URL, and the words to find them by.

export const settingsSections = [
  { name: 'methods', label: 'Sign-in methods' },
  { name: 'google', label: 'Google' },
  { name: 'apple', label: 'Apple' },
  { name: 'providers', label: 'Other providers' },
  { name: 'passkeys', label: 'Passkeys' },
  { name: 'second-factor', label: 'Second factor' },
  { name: 'deep-link', label: 'Deep link' },
  { name: 'mail', label: 'Mail' },
  { name: 'tiers', label: 'Loyalty tiers' },
  { name: 'limits', label: 'Limits' },
  { name: 'files', label: 'Files' },
  { name: 'data', label: 'Data' },
  { name: 'origins', label: 'Allowed origins' },
  { name: 'push', label: 'Push' },
  { name: 'v1', label: 'API v1' },
  { name: 'sign-in', label: 'Advanced' },
  { name: 'as-files', label: 'App as files' },
] as const;

export type SectionName = (typeof settingsSections)[number]['name'];
