// Events of an app, as webhooks deliver them and `GET /admin/events` lists them. Specification "Events".
import * as z from 'zod';
import { textUpTo } from '../answer-values.js';
import { maxMemberIdCharacters } from '../limits.js';
import { LedgerEntry, Points } from './loyalty.js';
import { sessionMethods } from './sessions.js';
import { User } from './user.js';
import { Timestamp, Ulid } from './values.js';

/** The types of the events of an app. */
export const eventTypes = [
  'user.created',
  'user.updated',
  'user.deleted',
  'user.disabled',
  'user.enabled',
  'user.email_verified',
  'user.password_changed',
  'session.created',
  'session.ended',
  'loyalty.points_changed',
] as const;

export type EventType = (typeof eventTypes)[number];

/** The type of the event that `POST /admin/webhooks/{id}/test` sends; it reports no change. */
export const testEventType = 'webhook.test';

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

function eventOf<Type extends string, Data extends z.ZodRawShape>(type: Type, data: Data) {
  return z
    .object({
      id: z
        .string()
        .regex(/^evt_[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'must be an event id')
        .meta({
          description: 'The event; the same in every attempt, retry and replay, and in `webhook-id`.',
          example: 'evt_01JC4Q7M0RZ9X2V5T8W3Y6K1NB',
        }),
      type: z.literal(type).meta({ description: 'The type of the event.', example: type }),
      timestamp: Timestamp.meta({ description: 'The time of the event.' }),
      app_id: Ulid.meta({ description: 'The app.' }),
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

/** The body of a webhook: an event, or a test. */
export const WebhookPayload = z
  .discriminatedUnion('type', [
    ...userEvents,
    eventOf(testEventType, { webhook_id: Ulid.meta({ description: 'The webhook.' }) }),
  ])
  .meta({ id: 'WebhookPayload', description: 'The body of a webhook delivery: an event or a test.' });
export type WebhookPayload = z.infer<typeof WebhookPayload>;
