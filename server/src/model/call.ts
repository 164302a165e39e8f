// A call: who makes it, in which app and from where. The guard makes it once per request; operations take it, or the part of
// it that they need.
import type { EndpointAuth } from '@foyer/contract';
import type { Actor } from './actor.js';
import type { App } from './app.js';
import type { CallingMember } from './member.js';
import type { SecretKeyRow } from './secret-key.js';
import type { Device, LiveSession, SessionIds } from './session.js';
import type { LiveV1Token } from './v1-token.js';

export type Call = {
  app: App;
  /** The actor of audit entries, and the party whose turn the call takes. */
  actor: Actor;
  ip: string | null;
  /** The signed-in user; null for a backend, a team member, and a client without a token. */
  uid: string | null;
  session: LiveSession | null;
  /** The token of a signed-in user of v1, who has no session. */
  v1Token: LiveV1Token | null;
  secretKey: SecretKeyRow | null;
  /** A member of the app's team, with the rights of a secret key; or the caller of a `/console` call. */
  member: CallingMember | null;
  /** The Accept-Language header of a client, for mails. A backend and a member do not have the user's language. */
  language: string | undefined;
  /** Parses the headers, which only a sign-in needs. */
  readDevice: () => Device;
  /** The device token of the request; an invalid one is never refused. */
  deviceToken: string | null;
  /** The flow of the emailed code that the request refers to. Undefined where the endpoint reads none, as in v1. */
  codeFlow: string | null | undefined;
  /** Rejects if the app, the secret key or the member has lost its rights since the guard ran: after a body that took long. */
  authorizeAgain(): Promise<void>;
  /** Waits for something else than the database without the turn of the call, and then for another turn. Set by calls that have one. */
  outsideTurn?<Result>(wait: () => Promise<Result>): Promise<Result>;
};

/** A call of a signed-in user. */
export type UserCall = Call & { uid: string; session: LiveSession };

/** A call of a signed-in user of v1. */
export type V1Call = Call & { uid: string; v1Token: LiveV1Token };

/** A call that the contract allows for team members only. */
export type TeamCall = Call & { member: CallingMember };

/** The call of an endpoint, as far as its access decides who makes it. */
export type CallFor<Auth extends EndpointAuth> = Auth extends 'signed-in'
  ? UserCall
  : Auth extends 'member' | 'console'
    ? TeamCall
    : Call;

/** The app's backend or a member of its team, who act for the app and not as one of its users. */
export function actsForApp({ secretKey, member }: Pick<Call, 'secretKey' | 'member'>): boolean {
  return secretKey !== null || member !== null;
}

export function sessionIdsOf({ app, session }: Pick<UserCall, 'app' | 'session'>): SessionIds {
  return { appId: app.id, uid: session.uid, sessionId: session.sessionId };
}
