// Headers that distinguish the owner of an account from others who know its email. The metadata of an endpoint names those that
// it reads and returns.
import * as z from 'zod';
import { codeFlowPattern, codeGuesses, deviceTokenDays, maxHeaderCharacters, rateLimits } from './limits.js';

/** Identifies one emailed code for the client that requested it. */
export const CodeFlow = z
  .string()
  .regex(codeFlowPattern, 'must be an X-Code-Flow of an earlier response')
  .meta({
    description:
      'The `X-Code-Flow` of the response that announced the code. Only that code is checked, with its own ' +
      `limit of ${codeGuesses} attempts, even if another code was emailed later. Without this header the newest ` +
      'code is checked, and anyone who knows the email can use up its attempts. A value that identifies no ' +
      'code counts as none. After a code was used, its flow identifies no code.',
    example: 'fl_q0dyjPzW8uTGxXyW6zqkXA',
  });

export const codeFlowAnswer =
  'Identifies the code that this call emailed. Send it back with the code. It is returned for every email, ' +
  'whether or not a code was emailed.';

/** Proves that the device has signed in to the account before. An invalid token is ignored, never rejected. */
export const DeviceToken = z.string().meta({
  maxLength: maxHeaderCharacters,
  description:
    'The `X-Device-Token` of the last sign-in on this device. If it belongs to the account, failures are ' +
    `counted for this device (${rateLimits['auth-failures-device'].limit} in ` +
    `${rateLimits['auth-failures-device'].windowSeconds / 60} minutes) and not for the email, whose limit ` +
    'anyone who knows the email can use up. Any other value is ignored.',
  example: 'dt_AVNQ5KkfxJc2n0vXbq8Zs3WmYtR1LhPdUeGaJzKo7QnBHwCi',
});

export const deviceTokenAnswer =
  `Marks this device as known to the account for ${deviceTokenDays} days, or until the password or the email changes, a ` +
  'passkey, a provider or the authenticator app is removed, or all sessions end. Store it beyond sign-out, and send it with ' +
  'every later sign-in, password reset and reauthentication.';

export type ProofHeader = 'X-Code-Flow' | 'X-Device-Token';
