// The rate limits in the words of the settings, grouped by what they protect.
import type { RateLimitPolicy } from '@foyer/contract';

const ofSignIn = {
  'auth-ip': 'Calls that verify a password or code, from one IP address',
  'auth-failures-email-ip': 'Failed passwords for one email from one IP address',
  'auth-failures-email': 'Failed passwords for one email',
  'code-failures-email-ip': 'Failed codes for one email from one IP address',
  'code-failures-email': 'Failed codes for one email',
  'auth-failures-device': 'Failures on one device that is known to the account',
  'auth-failures-user': 'Failures of one signed-in user',
  'exchange-ip': 'Sign-ins with providers and moves from v1, from one IP address',
  'refresh-session': 'Refreshes of one session',
} as const;

const ofMails = {
  'code-send-email-ip-pause': 'Codes to one email from one IP address: pause between two',
  'code-send-email-ip': 'Codes to one email from one IP address',
  'code-send-email-ip-day': 'Codes to one email from one IP address, before they count separately',
  'code-send-email': 'Codes to one email, before the next limit applies',
  'code-send-email-slow': 'Codes to one email above the previous limit',
  'code-send-ip': 'Calls that mail a code, from one IP address',
  'notice-email': 'Notices of changes to one email',
} as const;

const ofOtherCalls: Record<Exclude<RateLimitPolicy, keyof (typeof ofSignIn & typeof ofMails)>, string> = {
  client: 'Calls of one user, or from one IP address without a user',
  'invalid-credential-ip': 'Calls with an invalid key or token, from one IP address',
  'new-device': 'New push devices of one user, or from one IP address without a user',
  'new-topic': 'New topics of push devices of one user, or from one IP address without a user',
  'profile-change': 'Changes of the profile of one user',
  upload: 'Uploads of one user',
  admin: 'Calls with one secret key',
  'push-send': 'Push messages sent with one secret key',
  'provider-check': 'Tests of the configuration of a provider',
};

type Names = Partial<Record<RateLimitPolicy, string>>;

export const rateLimitGroups: readonly { title: string; names: Names }[] = [
  { title: 'Sign-in and sign-up', names: ofSignIn },
  { title: 'Emailed codes and notices', names: ofMails },
  { title: 'All other calls', names: ofOtherCalls },
];
