// The entries of the audit log.
import { z } from 'zod';
import { textUpTo } from '../answer-values.js';
import { text } from '../input-values.js';
import { maxIpAddressCharacters } from '../limits.js';
import { PageQuery } from './envelopes.js';
import { InstantInput, Timestamp, Ulid } from './values.js';

const Actor = text({ max: 100 });

const Target = text({ max: 300 });

export const AuditEntry = z
  .object({
    id: Ulid.meta({ description: 'The entry; entries sort by it, oldest first.' }),
    actor: textUpTo(100).meta({
      description:
        'Who did it: `user:<uid>`, `secret_key:<id>`, `member:<uid>`, `command_line`, `service`, or `anonymous`.',
      example: 'user:01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
    }),
    action: textUpTo(100).meta({
      description: 'What was done; a new action may be added at any time.',
      example: 'user.signed_in',
    }),
    target: textUpTo(300).meta({
      description: 'What it was done to: a kind and an id, such as `user:<uid>` or `secret_key:<id>`.',
      example: 'user:01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
    }),
    uid: Ulid.nullable().meta({ description: 'The user that the entry speaks of, if any.' }),
    ip_address: textUpTo(maxIpAddressCharacters).nullable().meta({
      description: 'Where it came from; null where that is not known, or the account was deleted.',
      example: '203.0.113.7',
    }),
    details: z.record(z.string(), z.unknown()).meta({
      description: 'More, by action; empty once the account was deleted.',
      example: { method: 'password' },
    }),
    created_at: Timestamp.meta({ description: 'When it was done.' }),
  })
  .meta({ id: 'AuditEntry', description: 'Something that was done to the app or to an account of it.' });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditLogQuery = PageQuery.extend({
  actor: Actor.optional().meta({
    description: 'Entries of this actor.',
    example: 'secret_key:01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
  }),
  action: text({ max: 100 }).optional().meta({
    description: 'Entries of this action.',
    example: 'user.sign_in_failed',
  }),
  target: Target.optional().meta({
    description: 'Entries about this target.',
    example: 'session:01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
  }),
  uid: Ulid.optional().meta({ description: 'Entries that speak of this user.' }),
  created_after: InstantInput.optional().meta({
    description: 'Entries of this time or later.',
    example: '2026-01-02T03:04:05Z',
  }),
  created_before: InstantInput.optional().meta({
    description: 'Entries before this time.',
    example: '2026-01-03T03:04:05Z',
  }),
});
