// Sessions, as the list of devices returns them.
import * as z from 'zod';
import { textUpTo } from '../answer-values.js';
import { maxDeviceTextCharacters, maxIpAddressCharacters } from '../limits.js';
import { Timestamp, Ulid } from './values.js';

export const sessionMethods = [
  'password',
  'email_code',
  'provider_a',
  'provider_b',
  'v1_exchange',
  'passkey',
  'provider',
] as const;

export const deviceTypes = ['mobile', 'tablet', 'desktop', 'unknown'] as const;

export const Session = z
  .object({
    id: Ulid.meta({ description: 'The session; `sid` in its access tokens.' }),
    current: z.boolean().meta({ description: 'True for the session of this call.', example: true }),
    method: z.enum(sessionMethods).meta({ description: 'How the user signed in.', example: 'password' }),
    device: z.object({
      name: textUpTo(maxDeviceTextCharacters).nullable().meta({
        description: 'The name that the client sent in `X-Client-Device`.',
        example: "Ada's phone",
      }),
      type: z
        .enum(deviceTypes)
        .meta({ description: 'The device type, from the `User-Agent` header.', example: 'mobile' }),
      os: textUpTo(maxDeviceTextCharacters)
        .nullable()
        .meta({ description: 'Operating system, from `User-Agent`.', example: 'Android 15' }),
      browser: textUpTo(maxDeviceTextCharacters)
        .nullable()
        .meta({ description: 'Browser, from `User-Agent`.', example: 'Firefox 131' }),
      app_version: textUpTo(maxDeviceTextCharacters).nullable().meta({
        description: 'The version that the client sent in `X-Client-Version`.',
        example: '4.2.0',
      }),
    }),
    ip_address: textUpTo(maxIpAddressCharacters)
      .nullable()
      .meta({ description: 'The IP address of the sign-in.', example: '203.0.113.7' }),
    created_at: Timestamp.meta({ description: 'The time of the sign-in.' }),
    last_used_at: Timestamp.meta({
      description: 'The time of the sign-in or the last refresh.',
      example: '2026-01-05T18:20:41.093000Z',
    }),
    expires_at: Timestamp.meta({
      description: 'When the session expires unless it is refreshed.',
      example: '2026-04-05T18:20:41.093000Z',
    }),
  })
  .meta({ id: 'Session', description: 'An active session of a user on a device.' });
export type Session = z.infer<typeof Session>;
