// Headers by which the service tells an account's owner from strangers who know the email (conventions of the API, "Budgets
// that strangers cannot spend"). Each endpoint names in its metadata those that it reads and answers.
import { z } from 'zod';
import { codeFlowPattern, codeGuesses, deviceTokenDays, maxHeaderCharacters, rateLimits } from './limits.js';

/** Names one mailed code for the client that asked for it. */
export const CodeFlow = z
  .string()
  .regex(codeFlowPattern, 'must be the X-Code-Flow that an answer carried')
  .meta({
    description:
      'The `X-Code-Flow` of the answer that announced the code. Exactly that code is judged, with ' +
      `${codeGuesses} guesses of its own, even if another one was mailed since. Without it the newest code is judged, whose ` +
      'guesses anybody who knows the email can use up.',
    example: 'fl_q0dyjPzW8uTGxXyW6zqkXA',
  });

export const codeFlowAnswer =
  'Names the code that this call mailed. Send it back with the code. It is there for every email, whether or not a mail was ' +
  'sent.';

/** Shows that the device has signed in to the account before. A token that shows nothing is ignored, never refused. */
export const DeviceToken = z.string().meta({
  maxLength: maxHeaderCharacters,
  description:
    'The `X-Device-Token` of the last sign-in on this device. Where it belongs to the account, failures are counted for ' +
    `this device (${rateLimits['auth-failures-device'].limit} in ${rateLimits['auth-failures-device'].windowSeconds / 60} minutes) and not ` +
    'for the email, whose count anybody who knows it can use up. Any other value is ignored.',
  example: 'dt_AVNQ5KkfxJc2n0vXbq8Zs3WmYtR1LhPdUeGaJzKo7QnBHwCi',
});

export const deviceTokenAnswer =
  `Marks this device as known to the account for ${deviceTokenDays} days, at most until the password changes or all sessions ` +
  'end. Keep it through sign-out, and send it with every later sign-in, reset and reauthentication.';

export type ProofHeader = 'X-Code-Flow' | 'X-Device-Token';
