// Limits and refused attempts of sign-ins, in words.
import { type AuditEntry, tokenRefusals } from '@foyer/contract';
import { providerName } from './provider-name.ts';
import { signInMethods } from './sign-in-methods.ts';

const limits: Record<string, string> = {
  'auth-failures-email-ip': 'Too many wrong passwords from one IP address',
  'auth-failures-email': 'Too many wrong passwords from many IP addresses; known devices still sign in',
  'auth-failures-device': 'Too many wrong passwords on a device that the user has used before',
  'auth-failures-user': 'Too many wrong passwords or codes by the signed-in user',
  'code-failures-email-ip': 'Too many wrong codes from one IP address',
  'code-failures-email': 'Too many wrong codes from many IP addresses',
  'code-guesses-email-day': 'Too many wrong codes in one day',
  'code-guesses-network': 'Too many wrong codes from one IP address in one day',
  'second-factor-guesses': 'Too many wrong codes of the authenticator app, or recovery codes',
  'code-send-email':
    'Too many codes were requested in one day; new ones are mailed every ten minutes at most',
  'code-send-email-ip': 'Too many codes were requested within an hour; no more are mailed',
  'code-send-email-ip-day':
    'Too many codes were requested from one IP address in one day; few more are mailed',
};

export function limitWords(policy: string): string {
  return limits[policy] ?? `The limit ${policy} is reached`;
}

const factors: Record<string, string> = { totp: 'Authenticator app', recovery_code: 'Recovery code' };

const reasons: Record<string, string> = {
  'auth/invalid-code': 'the code was wrong, or used before',
  'auth/code-expired': 'the code had expired',
  'auth/user-disabled': 'the user is disabled',
  'auth/account-exists-with-different-credential':
    'an account with this email exists, and the provider is not linked',
  'auth/credential-already-in-use': 'the provider is linked to another account',
};

/** Why an attempt was refused. */
export function failureWords({ action, details }: AuditEntry): string {
  const { method, reason, token, limit } = details as Record<string, string | undefined>;
  if (action === 'user.guesses_limited') return limit ? limitWords(limit) : 'Too many attempts';
  if (action === 'session.refresh_reuse') return 'A refresh token was used twice, and its session ended';
  const way = method
    ? (signInMethods[method as keyof typeof signInMethods] ?? factors[method] ?? method)
    : '';
  const wrong = method === 'password' ? 'the password was wrong' : 'the credential was refused';
  const why = token ? tokenWords(token) : (reasons[reason ?? ''] ?? wrong);
  return way === '' ? why : `${way}: ${why}`;
}

export function tokenWords(reason: unknown): string {
  return (tokenRefusals as Record<string, string>)[String(reason)] ?? 'for several reasons';
}

export function refusedTokenWords({ target, details }: AuditEntry): string {
  return `${providerName(target.replace('provider:', ''))}: ${tokenWords(details.reason)}`;
}
