// The ways to sign in, in words.
import type { Session } from '@foyer/contract';

export const signInMethods: Readonly<Record<Session['method'], string>> = {
  password: 'Password',
  email_code: 'Emailed code',
  provider_a: 'Google',
  provider_b: 'Apple',
  v1_exchange: 'Moved from v1',
  passkey: 'Passkey',
  provider: 'Another provider',
};
