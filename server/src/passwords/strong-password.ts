// Normalises a new password; `auth/weak-password` when it does not meet the requirements.
import { normalisedPassword } from '../../engines/hashing/index.js';
import { ApiError } from '../lib/api-error.js';
import type { App } from '../model/app.js';
import { checkNewPassword, type PasswordVerdict } from './password-rules.js';

/** The errors of v1 put the name of the field before the sentence, which they recognize by its verb (http/error-form.ts). */
type Problem = `${'must' | 'is' | 'has'} ${string}`;

const problems: Record<Exclude<PasswordVerdict, 'ok'>, Problem> = {
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
