// A live session, the device it runs on and the client that a call comes from.
import type { UserRow } from './user.js';

export type LiveSession = UserRow & { sessionId: string; authTime: Date; amr: string[] };

/** Where a call comes from: the device and address as sessions show them, and the device token that it sent. */
export type Client = { device: Device; ipAddress: string | null; deviceToken: string | null };

export type SessionMethod = 'password' | 'email_code' | 'provider_a' | 'provider_b' | 'v1_exchange';

export type Device = {
  name: string | null;
  type: 'mobile' | 'tablet' | 'desktop' | 'unknown';
  os: string | null;
  browser: string | null;
  appVersion: string | null;
};
