// A live session, its device, and the client of a request.
import type { UserRow } from './user.js';

export type SessionIds = { appId: string; uid: string; sessionId: string };

export type LiveSession = UserRow & { sessionId: string; authTime: Date; amr: string[] };

/** The device and IP address that are stored with a session; the device token and the language of the request. */
export type Client = {
  device: Device;
  ipAddress: string | null;
  deviceToken: string | null;
  language: string | undefined;
};

export type SessionMethod = 'password' | 'email_code' | 'provider_a' | 'provider_b' | 'v1_exchange';

export type Device = {
  name: string | null;
  type: 'mobile' | 'tablet' | 'desktop' | 'unknown';
  os: string | null;
  browser: string | null;
  appVersion: string | null;
};
