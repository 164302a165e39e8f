// The refusal of an address that another account of the app has.
import { ApiError } from '../lib/api-error.js';

export function emailInUse(): ApiError {
  return new ApiError('auth/email-already-in-use', { fields: { email: ['is already in use'] } });
}
