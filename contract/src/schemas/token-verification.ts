// The result of verifying an access token.
import * as z from 'zod';
import type { ErrorCode } from '../errors.js';
import { User } from './user.js';
import { Timestamp, Ulid } from './values.js';

const ActiveToken = z.object({
  active: z.literal(true),
  uid: Ulid.meta({ description: 'The user; `sub` of the token.' }),
  session_id: Ulid.meta({ description: 'The session; `sid` of the token.' }),
  claims: z.record(z.string(), z.unknown()).meta({
    description: 'The custom claims in the token; empty when there are none.',
    example: { plan: 'gold' },
  }),
  auth_time: Timestamp.meta({ description: 'When the user signed in or last reauthenticated.' }),
  issued_at: Timestamp.meta({ description: 'When the token was issued.' }),
  expires_at: Timestamp.meta({ description: 'When the token expires.' }),
  user: User.nullable().meta({
    description: 'The current user; null only with `check_revoked: false`, if the account was deleted.',
  }),
});

const reasons = [
  'auth/token-expired',
  'auth/user-disabled',
  'auth/invalid-token',
] as const satisfies readonly ErrorCode[];

const InactiveToken = z.object({
  active: z.literal(false),
  reason: z.enum(reasons).meta({
    description:
      '`auth/token-expired`, `auth/user-disabled`, or otherwise `auth/invalid-token`: forged, of another ' +
      'app, or of a session that has ended.',
    example: 'auth/token-expired',
  }),
});

export const TokenVerdict = z.discriminatedUnion('active', [ActiveToken, InactiveToken]).meta({
  id: 'TokenVerdict',
  description: 'Whether the token is valid, with its user and session or the reason.',
});
export type TokenVerdict = z.infer<typeof TokenVerdict>;
