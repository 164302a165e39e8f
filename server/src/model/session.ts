// A live session, its device, and the client of a request.
import type { sessionMethods } from '@foyer/contract';
import type { UserRow } from './user.js';

export type SessionIds = { appId: string; uid: string; sessionId: string };

/** A session with its user, as tokens describe them. */
export type TokenSession = UserRow & { sessionId: string; authTime: Date; amr: string[] };

/** The session of a request. `secondFactor`: its user is enrolled. */
export type LiveSession = TokenSession & { secondFactor: boolean };

/** The device and IP address that are stored with a session; the device token and the language of the request. */
export type Client = {
  device: Device;
  ip: string | null;
  deviceToken: string | null;
  language: string | undefined;
  /** The flow of the emailed code that the client signs in with. */
  codeFlow?: string | null;
};

export type SessionMethod = (typeof sessionMethods)[number];

export type Device = {
  name: string | null;
  type: 'mobile' | 'tablet' | 'desktop' | 'unknown';
  os: string | null;
  browser: string | null;
  appVersion: string | null;
};
