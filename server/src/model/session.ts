// A live session, its device, and the client of a request.
import type { UserRow } from './user.js';

export type LiveSession = UserRow & { sessionId: string; authTime: Date; amr: string[] };

/** The device and IP address that are stored with a session, and the device token of the request. */
export type Client = { device: Device; ipAddress: string | null; deviceToken: string | null };

export type SessionMethod = 'password' | 'email_code' | 'provider_a' | 'provider_b' | 'v1_exchange';

export type Device = {
  name: string | null;
  type: 'mobile' | 'tablet' | 'desktop' | 'unknown';
  os: string | null;
  browser: string | null;
  appVersion: string | null;
};
