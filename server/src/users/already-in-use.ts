// The refusals of an email, and of a member id, that another user of the app has.
import { ApiError } from '../lib/api-error.js';

const fieldError = ['is already in use'];

export function emailInUse(): ApiError {
  return new ApiError('auth/email-already-in-use', { fields: { email: fieldError } });
}

export function memberIdInUse(): ApiError {
  return new ApiError('admin/member-id-already-in-use', { fields: { member_id: fieldError } });
}
