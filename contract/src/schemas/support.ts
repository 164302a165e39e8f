// What keeps a user from signing in, and what the team notes about a user.
import * as z from 'zod';
import { Count, listUpTo, textUpTo } from '../answer-values.js';
import { trimmedText } from '../input-values.js';
import {
  maxEmailCharacters,
  maxIpAddressCharacters,
  shownRefusedTokens,
  signInLimitsShown,
  userNoteCharacters,
} from '../limits.js';
import { AuditEntry } from './audit.js';
import { Timestamp, Ulid } from './values.js';

export const SignInLimit = z
  .object({
    policy: textUpTo(100).meta({
      description:
        'The rate limit that is reached, as in the `RateLimit-Policy` header; others may be added.',
      example: 'auth-failures-email-ip',
    }),
    ip_address: textUpTo(maxIpAddressCharacters).nullable().meta({
      description:
        'The IP address from which calls are refused; null where the limit applies to the account or to one device.',
      example: '203.0.113.7',
    }),
    until: Timestamp.meta({ description: 'When the limit ends by itself.' }),
  })
  .meta({ id: 'SignInLimit', description: 'A rate limit that refuses a user now.' });

/** An entry of the audit log, with what null means. */
function entry(description: string) {
  return AuditEntry.nullable().meta({ description, example: null });
}

export const SignInState = z
  .object({
    limits: listUpTo(signInLimitsShown, SignInLimit).meta({
      description:
        'The limits that are reached now, for the account, its IP addresses and its known devices of the last day.',
    }),
    disabled_by: entry(
      'Who disabled the user, and when; null if the user is not disabled, or no entry is left.',
    ),
    last_success: entry('The latest sign-in; null if none of the latest entries of the user is one.'),
    last_failure: entry(
      'The latest refusal, with `details.reason`; null if none of the latest entries of the user is one.',
    ),
    failures: Count.meta({
      description:
        'The number of refusals since the latest sign-in, among the latest entries of the user; repeated ones that share an ' +
        'entry are counted each.',
      example: 12,
    }),
    refused_tokens: listUpTo(shownRefusedTokens, AuditEntry).meta({
      description:
        'ID tokens of providers that were refused in the last seven days, from networks where the user has been, newest ' +
        'first. The tokens may be of other users of the network.',
    }),
  })
  .meta({ id: 'SignInState', description: 'What keeps a user from signing in, and the latest attempts.' });
export type SignInState = z.infer<typeof SignInState>;

/** What support mails to a user; the words of the mails are those that the user would ask for in the app. */
export const supportCodePurposes = ['sign_in', 'reset', 'verification'] as const;

export const UserNote = z
  .object({
    id: Ulid.meta({ description: 'The note; ids sort by time.' }),
    text: textUpTo(userNoteCharacters).meta({ description: 'The note.', example: 'Moved to a new phone.' }),
    actor: textUpTo(100).meta({
      description: 'Who wrote it: `member:<uid>` or `secret_key:<id>`.',
      example: 'member:01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
    }),
    actor_name: textUpTo(maxEmailCharacters).nullable().meta({
      description: 'The email of the team member, or the name of the secret key, as it is now.',
      example: 'grace@example.com',
    }),
    created_at: Timestamp.meta({ description: 'When it was written.' }),
  })
  .meta({ id: 'UserNote', description: 'A note of the team about a user. The user never sees it.' });
export type UserNote = z.infer<typeof UserNote>;

export const NoteInput = trimmedText({ min: 1, max: userNoteCharacters, lines: true }).meta({
  description: `At most ${userNoteCharacters.toLocaleString('en')} characters.`,
  example: 'Moved to a new phone.',
});
