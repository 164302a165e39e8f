// Mails the code that a user would request in the app. Its limits are those of a known client of the user, which strangers do
// not use up and which use up none of a device; unlike a client, the team is told when one is reached.
import type { supportCodePurposes } from '@foyer/contract';
import { findAccountById } from '../accounts/account.js';
import { lockKnownUser } from '../admin-users/known-user.js';
import { sendCode } from '../codes/send-code.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { Call } from '../model/call.js';
import { isVerifiedFor } from '../sessions/known-client.js';

/** No device has this id: those are base64url. */
const client = 'support:';

type CodeOfUser = { uid: string; purpose: (typeof supportCodePurposes)[number] };

export async function sendCodeTo(deps: Deps, call: Call, { uid, purpose }: CodeOfUser): Promise<void> {
  const ids = { appId: call.app.id, uid };
  const account = await findAccountById(deps.query, ids.appId, uid);
  if (account === null) throw new ApiError('auth/user-not-found');
  const { email } = account;
  await sendCode(deps, call, {
    purpose,
    subject: purpose === 'verification' ? uid : email,
    email,
    known: { client: { uid, deviceId: client }, isVerified: isVerifiedFor(account, purpose) },
    tellsLimits: true,
    async demand(tx, record) {
      const current = await lockKnownUser(tx, ids);
      // The email was changed since it was read: the code would go to the previous one.
      if (current.email !== email) throw new ApiError('auth/user-not-found');
      if (current.disabled) throw new ApiError('auth/user-disabled');
      await record.audit({ action: 'user.code_sent', uid, details: { purpose } });
    },
  });
}
