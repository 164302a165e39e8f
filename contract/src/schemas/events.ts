// Events of an app, as webhooks deliver them and `GET /admin/events` lists them.
import * as z from 'zod';
import { textUpTo } from '../answer-values.js';
import { auditActions } from '../audit-actions.js';
import { type AuditEventType, eventTypes, everyAuditEvent, testEventType } from '../event-types.js';
import { maxMemberIdCharacters } from '../limits.js';
import { AuditEntry } from './audit.js';
import { LedgerEntry, Points } from './loyalty.js';
import { sessionMethods } from './sessions.js';
import { User } from './user.js';
import { Timestamp, Ulid } from './values.js';

/** The types of the events that carry entries of the audit log: `audit.` and the action. */
export const auditEventTypes = Object.keys(auditActions).map(
  (action) => `audit.${action}`,
) as AuditEventType[];

/** What a webhook can subscribe to. */
export const webhookTypes = [...eventTypes, everyAuditEvent, ...auditEventTypes] as const;

export type WebhookType = (typeof webhookTypes)[number];

const EventUser = User.extend({
  email: User.shape.email.nullable().meta({
    description: 'Null in the events of a deleted account, after its personal data is removed.',
    example: 'ada@example.com',
  }),
  member_id: textUpTo(maxMemberIdCharacters).nullable().meta({
    description: 'The member id in the loyalty programme; null in the same case as the email.',
    example: '4820157396',
  }),
  claims: z.record(z.string(), z.unknown()).meta({ description: 'The custom claims.', example: {} }),
}).meta({ id: 'EventUser', description: 'The user after the event; for a deletion, the user before it.' });

const EventSession = {
  id: Ulid.meta({ description: 'The session; `sid` in its access tokens.' }),
  method: z.enum(sessionMethods).meta({ description: 'How the user signed in.', example: 'password' }),
};

const EventId = z
  .string()
  .regex(/^evt_[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'must be an event id')
  .meta({
    description: 'The event; the same in every attempt, retry and replay, and in `webhook-id`.',
    example: 'evt_01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
  });

const origin = {
  timestamp: Timestamp.meta({ description: 'The time of the event.' }),
  app_id: Ulid.meta({ description: 'The app.' }),
};

function eventOf<Type extends string, Data extends z.ZodRawShape>(type: Type, data: Data) {
  return z
    .object({
      id: EventId,
      type: z.literal(type).meta({ description: 'The type of the event.', example: type }),
      ...origin,
      data: z.object(data),
    })
    .meta({ id: schemaNameOf(type) });
}

/** `user.email_verified` → `UserEmailVerifiedEvent` */
function schemaNameOf(type: string): string {
  return `${type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}Event`;
}

const user = { user: EventUser };

const points = Points.meta({ description: 'The balance after this entry.', example: 850 });

const passwordReason = textUpTo(100)
  .optional()
  .meta({
    description:
      'Such as `changed`, `reset`, or `unproven` for a password that was removed because it was set before ' +
      'the email was verified.',
    example: 'changed',
  });

const passkey = z.object({ id: Ulid.meta({ description: 'The passkey.' }) });

const userEvents = [
  eventOf('user.created', user),
  eventOf('user.updated', user),
  eventOf('user.deleted', {
    ...user,
    reason: z
      .enum(['self', 'admin'])
      .meta({ description: 'Whether the user or an admin deleted the account.', example: 'self' }),
  }),
  eventOf('user.disabled', user),
  eventOf('user.enabled', user),
  eventOf('user.email_verified', user),
  eventOf('user.password_changed', { ...user, reason: passwordReason }),
  eventOf('user.passkey_added', { ...user, passkey }),
  eventOf('user.passkey_removed', {
    ...user,
    passkey,
    reason: z.enum(['self', 'admin', 'unproven']).meta({
      description:
        'Whether the user or an admin removed it, or the service, because it was added before the email was verified.',
      example: 'self',
    }),
  }),
  eventOf('user.second_factor_enrolled', user),
  eventOf('user.second_factor_removed', {
    ...user,
    reason: textUpTo(100).meta({
      description:
        '`self`, `admin`, or `unproven` for a factor that was enrolled before the email was verified.',
      example: 'self',
    }),
  }),
  eventOf('session.created', { ...user, session: z.object(EventSession) }),
  eventOf('session.ended', {
    ...user,
    session: z.object({
      ...EventSession,
      reason: textUpTo(100).meta({
        description:
          'Such as `sign_out`, `sign_out_all`, `ended_by_user`, `session_limit`, `refresh_reuse`, `password_change`, `password_reset`, `user_deleted`.',
        example: 'sign_out',
      }),
    }),
  }),
  eventOf('loyalty.points_changed', { ...user, points, entry: LedgerEntry }),
] as const;

/** An event of the app, as `GET /admin/events` lists it. */
export const Event = z
  .discriminatedUnion('type', [...userEvents])
  .meta({ id: 'Event', description: 'An event of the app.' });
export type Event = z.infer<typeof Event>;

const AuditEvent = z
  .object({
    id: EventId,
    type: z.enum(auditEventTypes).meta({
      description: '`audit.` and the action of the entry; actions may be added at any time.',
      example: 'audit.settings.updated',
    }),
    ...origin,
    data: z.object({ entry: AuditEntry }),
  })
  .meta({
    id: 'AuditEvent',
    description:
      'An entry of the audit log, as `GET /admin/audit-log` returns it when it is sent; only for webhooks that subscribe to ' +
      'its type or to `audit.*`. `GET /admin/events` does not list it. The id is `evt_` and the id of the entry. An entry ' +
      'that counts calls is sent once, with the count of that time.',
  });

/** The body of a webhook: an event, an entry of the audit log, or a test. */
export const WebhookPayload = z
  .discriminatedUnion('type', [
    ...userEvents,
    AuditEvent,
    eventOf(testEventType, { webhook_id: Ulid.meta({ description: 'The webhook.' }) }),
  ])
  .meta({
    id: 'WebhookPayload',
    description: 'The body of a webhook delivery: an event, an entry of the audit log, or a test.',
  });
export type WebhookPayload = z.infer<typeof WebhookPayload>;
