// The entries of the audit log.
import * as z from 'zod';
import { textUpTo } from '../answer-values.js';
import { text } from '../input-values.js';
import { maxEmailCharacters, maxIpAddressCharacters, maxUrlCharacters } from '../limits.js';
import { PageQuery } from './envelopes.js';
import { InstantInput, Timestamp, Ulid } from './values.js';

const Actor = text({ max: 100 });

const Target = text({ max: 300 });

export const AuditEntry = z
  .object({
    id: Ulid.meta({ description: 'The entry; ids sort by time.' }),
    actor: textUpTo(100).meta({
      description:
        'The actor: `user:<uid>`, `secret_key:<id>`, `member:<uid>`, `command_line`, `service`, or ' +
        '`anonymous`.',
      example: 'user:01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
    }),
    actor_name: textUpTo(maxEmailCharacters)
      .nullable()
      .meta({
        description:
          'The email of a team member, the name of a secret key, or the name of a user, else their email, as it is now; null ' +
          'for other actors. Names of users require the scope `users:read` as well.',
        example: null,
      }),
    action: textUpTo(100).meta({
      description: 'The action; actions may be added at any time.',
      example: 'user.signed_in',
    }),
    target: textUpTo(300).meta({
      description: 'The target: a type and an id, such as `user:<uid>` or `secret_key:<id>`.',
      example: 'user:01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
    }),
    target_name: textUpTo(maxUrlCharacters)
      .nullable()
      .meta({
        description:
          'The name of the target as it is now, likewise: also the name of an app or a file, the email of a pending ' +
          'invitation, the URL of a webhook, without its query, the title of a push message, which requires the scope ' +
          '`push:read`, and the name of the user of a session. Null for what no longer exists, and for other targets.',
        example: null,
      }),
    uid: Ulid.nullable().meta({ description: 'The user that the entry concerns, if any.' }),
    ip_address: textUpTo(maxIpAddressCharacters).nullable().meta({
      description: 'The IP address of the request; null if unknown or if the account was deleted.',
      example: '203.0.113.7',
    }),
    details: z.record(z.string(), z.unknown()).meta({
      description: 'Further details, depending on the action; empty after the account was deleted.',
      example: { method: 'password' },
    }),
    created_at: Timestamp.meta({ description: 'The time of the action.' }),
  })
  .meta({ id: 'AuditEntry', description: 'An action on the app or on one of its accounts.' });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditLogQuery = PageQuery.extend({
  actor: Actor.optional().meta({
    description: 'Entries with this actor.',
    example: 'secret_key:01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
  }),
  action: text({ max: 100 }).optional().meta({
    description: 'Entries with this action.',
    example: 'user.sign_in_failed',
  }),
  target: Target.optional().meta({
    description: 'Entries with this target.',
    example: 'session:01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
  }),
  uid: Ulid.optional().meta({ description: 'Entries that concern this user.' }),
  created_after: InstantInput.optional().meta({
    description: 'Entries at or after this time.',
    example: '2026-01-02T03:04:05Z',
  }),
  created_before: InstantInput.optional().meta({
    description: 'Entries before this time.',
    example: '2026-01-03T03:04:05Z',
  }),
});
