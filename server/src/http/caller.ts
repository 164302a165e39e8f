// The caller of a request, for routes. Requesting a session on an endpoint without one is a programming error.
import type { IncomingHttpHeaders } from 'node:http';
import { limits } from '@foyer/contract';
import { ApiError } from '../lib/api-error.js';
import type { Actor } from '../model/actor.js';
import type { App } from '../model/app.js';
import type { CallingMember } from '../model/member.js';
import type { SecretKeyRow } from '../model/secret-key.js';
import type { Client, LiveSession } from '../model/session.js';
import type { LiveV1Token } from '../model/v1-token.js';
import { deviceOf } from './device.js';

type Called = { caller?: Caller; headers: unknown };

export function callerOf(req: Called): Caller {
  if (!req.caller) throw new Error('the guard did not run before this route');
  return req.caller;
}

export function sessionOf(req: Called): LiveSession {
  const { session } = callerOf(req);
  if (!session) throw new Error('the contract does not demand a signed-in call here');
  return session;
}

/** The same for a v1 request. */
export function v1TokenOf(req: Called): LiveV1Token {
  const { v1Token } = callerOf(req);
  if (!v1Token) throw new Error('the contract does not demand a signed-in call here');
  return v1Token;
}

/** The team member of a call that the contract allows for members only. */
export function memberOf(req: Called): CallingMember {
  const { member } = callerOf(req);
  if (!member) throw new Error('the contract does not demand a member here');
  return member;
}

export function userIdsOf(req: Called): { appId: string; uid: string; sessionId: string } {
  const { uid, sessionId } = sessionOf(req);
  return { appId: callerOf(req).app.id, uid, sessionId };
}

/** The Accept-Language header, for mails. */
export function languageOf(req: Called): string | undefined {
  return (req.headers as IncomingHttpHeaders)['accept-language'];
}

/**
 * The emailed code that the flow of the request refers to; throws for an invalid flow before any guess is counted.
 */
export function codeFlowOf(req: Called): string | null {
  const header = (req.headers as IncomingHttpHeaders)['x-code-flow'];
  if (header === undefined) return null;
  if (typeof header === 'string' && limits.codeFlowPattern.test(header)) return header;
  const fields = { 'X-Code-Flow': ['must be an X-Code-Flow of an earlier response'] };
  throw new ApiError('request/validation-failed', { fields });
}

/** The device token of the request; an invalid one is never refused. */
export function deviceTokenOf(req: Called): string | null {
  const sent = (req.headers as IncomingHttpHeaders)['x-device-token'];
  return typeof sent === 'string' ? sent : null;
}

/** The actor for the audit log. */
export function actorOf(req: Called): Actor {
  const caller = callerOf(req);
  return { name: nameOf(caller), ipAddress: caller.ipAddress };
}

function nameOf({ session, secretKey, member }: Caller): string {
  if (secretKey) return `secret_key:${secretKey.id}`;
  if (member) return `member:${member.uid}`;
  return session ? `user:${session.uid}` : 'anonymous';
}

export function clientOf(req: Called): Client {
  const device = deviceOf(req.headers as IncomingHttpHeaders);
  const { ipAddress } = callerOf(req);
  return { device, ipAddress, deviceToken: deviceTokenOf(req), language: languageOf(req) };
}

/** The caller as the guard determined it. */
export type Caller = {
  app: App;
  ipAddress: string | null;
  session: LiveSession | null;
  /** The user of a v1 request, which has no session. */
  v1Token: LiveV1Token | null;
  secretKey: SecretKeyRow | null;
  /** A member of the app's team, with the rights of a secret key; or the caller of a `/console` call. */
  member: CallingMember | null;
  /** Rejects if the app, the secret key or the member has lost its rights since the guard ran: after a body that took long. */
  authorizeAgain(): Promise<void>;
};

/** The app's backend or a member of its team, who act for the app and not as one of its users. */
export function actsForApp({ secretKey, member }: Caller): boolean {
  return secretKey !== null || member !== null;
}

export function uidOf({ session, v1Token }: Caller): string | undefined {
  return session?.uid ?? v1Token?.uid;
}
