// Normalises a new password; `auth/weak-password` when it does not meet the requirements.
import { ApiError } from '../lib/api-error.js';
import type { App } from '../model/app.js';
import { checkNewPassword, normalisedPassword, type PasswordVerdict } from './password-rules.js';

const problems: Record<Exclude<PasswordVerdict, 'ok'>, string> = {
  short: 'must have at least 8 characters',
  common: 'is one of the most common passwords',
  'app name': 'is the name of the app',
};

export async function strongPassword(app: App, password: string): Promise<string> {
  const normalised = normalisedPassword(password);
  const verdict = checkNewPassword(
    normalised,
    app.settings.refuse_common_passwords && {
      // Loaded on first use, so that installations without the setting never read the list.
      common: (await import('./generated/common-passwords.js')).commonPasswords,
      appNames: [app.name, app.slug],
    },
  );
  if (verdict === 'ok') return normalised;
  throw new ApiError('auth/weak-password', { fields: { password: [problems[verdict]] } });
}
