// A password that is about to be set: normalised, or refused as too weak.
import { ApiError } from '../lib/api-error.js';
import { judgeNewPassword, normalisedPassword } from './password-rules.js';

export function strongPassword(password: string): string {
  const normalised = normalisedPassword(password);
  if (judgeNewPassword(normalised) === 'weak') {
    throw new ApiError('auth/weak-password', { fields: { password: ['must have at least 8 characters'] } });
  }
  return normalised;
}
