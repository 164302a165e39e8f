// The groups of rate limits in the words of the settings, each with the limits that readers know best.
import type { RateLimitGroup, RateLimitPolicy } from '@foyer/contract';

type Group = {
  title: string;
  description: string;
  policies: Partial<Record<RateLimitPolicy, string>>;
};

export const rateLimitNames: Record<RateLimitGroup, Group> = {
  sign_in: {
    title: 'Sign-in and sign-up',
    description:
      'Calls that verify a credential. A factor above 1 does not raise the limits of failed passwords.',
    policies: {
      'auth-ip': 'calls from one IP address',
      'auth-failures-email': 'failed passwords for one email',
    },
  },
  codes: {
    title: 'Emailed codes and notices',
    description: 'Mails to users. A factor above 1 does not raise the limits of failed codes.',
    policies: {
      'code-send-email': 'codes to one email',
      'code-send-ip': 'codes requested from one IP address',
    },
  },
  refresh: {
    title: 'Refreshes',
    description: 'New access tokens of a session.',
    policies: { 'refresh-session': 'refreshes of one session' },
  },
  client: {
    title: 'Other calls of clients',
    description: 'Profile, records, files and push devices.',
    policies: { client: 'calls of one user', upload: 'uploads of one user' },
  },
  backend: {
    title: 'Calls of your backend and team',
    description:
      'Calls with a secret key or from this dashboard. The settings themselves always have the default limit.',
    policies: { admin: 'calls with one secret key', 'push-send': 'push messages sent with one secret key' },
  },
};
