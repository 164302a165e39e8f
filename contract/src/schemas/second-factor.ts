// The second factor of a user: an authenticator app (TOTP, RFC 6238) and recovery codes.
import * as z from 'zod';
import { Count, listUpTo, textUpTo } from '../answer-values.js';
import { maxLength, optional, text } from '../input-values.js';
import {
  maxTicketCharacters,
  recoveryCodeCharacters,
  recoveryCodes,
  secondFactorSeconds,
  totp,
} from '../limits.js';
import { digitsForm, recoveryCodeForm } from '../typed-text.js';
import { TokenAnswer } from './token-answer.js';
import { Timestamp } from './values.js';

/** Who needs a second factor; an app setting, and a setting of the team. */
export const secondFactorRules = ['off', 'optional', 'required'] as const;

/** What the client can offer next; `passkey` means a new sign-in with a passkey, not this ticket. */
export const secondSteps = ['totp', 'recovery_code', 'passkey', 'enroll'] as const;
export type SecondStep = (typeof secondSteps)[number];

export const TicketInput = text({ min: 1, max: maxTicketCharacters }).meta({
  description: `\`fields.ticket[0]\` of \`auth/second-factor-required\`; valid for ${secondFactorSeconds / 60} minutes, once.`,
  example: 'sf_AQ…',
});

const notTotp = `must have ${totp.digits} digits`;

/** A code of an authenticator app. Anything but six digits is rejected, and not counted as a guess. */
export const TotpInput = text({ max: 64, error: notTotp })
  .overwrite(digitsForm)
  .check(maxLength(totp.digits, notTotp))
  .regex(/^[0-9]{6}$/, notTotp)
  .meta({
    description:
      'The current code of the authenticator app; spaces are ignored, and digits of other scripts are accepted.',
    example: '402718',
  });

const notRecoveryCode = 'must be a recovery code such as k3x9d-7m2qp';

export const RecoveryCodeInput = text({ max: 64, error: notRecoveryCode })
  .overwrite(recoveryCodeForm)
  .check(maxLength(recoveryCodeCharacters + 1, notRecoveryCode))
  // The dash is for the documents: the pattern there must allow the codes as they are shown.
  .regex(/^[0-9a-hjkmnp-tv-z]{5}-?[0-9a-hjkmnp-tv-z]{5}$/, notRecoveryCode)
  .meta({
    description:
      'One of the recovery codes, each of which works once; letter case, spaces and dashes are ignored.',
    example: 'k3x9d-7m2qp',
  });

/** The proofs of a second step that are typed, of which a call takes one. */
export const secondStepInput = {
  totp: optional(TotpInput),
  recovery_code: optional(RecoveryCodeInput),
};

export const TotpEnrollment = z
  .object({
    secret: textUpTo(64).meta({
      description: 'The secret in base32, to type into an authenticator app.',
      example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    }),
    uri: textUpTo(2_048).meta({
      description: 'The same as `otpauth://` URI, to show as a QR code.',
      example:
        'otpauth://totp/Orchard:ada%40example.com?issuer=Orchard&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
    }),
  })
  .meta({ id: 'TotpEnrollment', description: 'The secret of a new authenticator app; shown once.' });

const recoveryCodeList = listUpTo(recoveryCodes, textUpTo(recoveryCodeCharacters + 1)).meta({
  description: 'The new recovery codes, shown once; earlier ones no longer work.',
  example: ['k3x9d-7m2qp', '0hq4t-w8zra'],
});

export const RecoveryCodes = z
  .object({ recovery_codes: recoveryCodeList })
  .meta({ id: 'RecoveryCodes', description: 'New recovery codes.' });

export const Factors = z
  .object({
    rule: z.enum(secondFactorRules).meta({
      description:
        'The rule of the app: `off` if users cannot have a second factor, `required` if every sign-in needs one.',
      example: 'optional',
    }),
    totp: z
      .object({ enrolled_at: Timestamp.meta({ description: 'When the authenticator app was confirmed.' }) })
      .nullable()
      .meta({ description: 'The authenticator app; null if there is none.' }),
    recovery_codes_left: Count.meta({
      description: 'The number of recovery codes that still work.',
      example: 10,
    }),
  })
  .meta({ id: 'Factors', description: "The user's second factors. Passkeys have a list of their own." });
export type Factors = z.infer<typeof Factors>;

const isNewUser = z.boolean().optional().meta({
  description: 'Present where the first call returns it: true if that call created the account.',
  example: false,
});

export const SecondFactorAnswer = TokenAnswer.extend({ is_new_user: isNewUser }).meta({
  id: 'SecondFactorAnswer',
  description: 'The response that the first call would have returned without a second factor.',
});

export const EnrolledAnswer = SecondFactorAnswer.extend({ recovery_codes: recoveryCodeList }).meta({
  id: 'EnrolledAnswer',
  description: 'The response that the first call would have returned, and the recovery codes.',
});
