// The sections of the settings, in the groups and the order of the page: names for the URL, and the words to find them by.

export const settingsGroups = [
  {
    group: 'Sign-in',
    sections: [
      { name: 'methods', label: 'Sign-in methods', words: 'providers' },
      { name: 'google', label: 'Google', words: 'oauth client id' },
      { name: 'apple', label: 'Apple', words: 'oauth services id' },
      {
        name: 'providers',
        label: 'Other providers',
        words: 'microsoft github openid oidc oauth sso redirect uri',
      },
      { name: 'passkeys', label: 'Passkeys', words: 'webauthn fido domain' },
      { name: 'second-factor', label: 'Second factor', words: 'mfa 2fa totp authenticator' },
      { name: 'deep-link', label: 'Deep link', words: 'magic universal app link emailed code' },
      {
        name: 'sign-in',
        label: 'Advanced',
        words: 'sign-up signup registration password access token lifetime signature recent sign-in',
      },
    ],
  },
  {
    group: 'Messages',
    sections: [
      {
        name: 'mail',
        label: 'Mail',
        words: 'email logo branding color footer language translation texts template sender reply-to',
      },
      { name: 'push', label: 'Push', words: 'fcm firebase apns web push credentials notifications' },
    ],
  },
  {
    group: 'Users and access',
    sections: [
      { name: 'tiers', label: 'Loyalty tiers', words: 'points' },
      { name: 'limits', label: 'Limits', words: 'rate quota hourly' },
      { name: 'files', label: 'Files', words: 'upload size quota storage' },
      { name: 'data', label: 'Data', words: 'records collections quota storage' },
      { name: 'origins', label: 'Allowed origins', words: 'cors browser web' },
    ],
  },
  {
    group: 'Maintenance',
    sections: [
      { name: 'v1', label: 'API v1', words: 'migration shutdown sunset' },
      { name: 'copy', label: 'Copy settings', words: 'another app clone duplicate' },
      { name: 'as-files', label: 'App as files', words: 'export download backup git pull apply yaml' },
    ],
  },
] as const;

export const settingsSections = settingsGroups.flatMap(({ sections }) => [...sections]);

export type SectionName = (typeof settingsSections)[number]['name'];
