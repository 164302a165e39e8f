// Authenticates a team member by an access token of the app `console`, with the role in the app that the call acts on.
import type { Role } from '@foyer/contract';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { secondFactorRule } from '../model/app.js';
import type { CallingMember } from '../model/member.js';
import { checkToken } from '../sessions/find-session.js';
import { checkRole, roleInApp } from './role-rules.js';
import { findLiveMember } from './store.js';

export type FoundMember = CallingMember & {
  /** False if there is no such app, or its deletion has begun. */
  appExists: boolean;
  consoleAppId: string;
};

/**
 * Returns null for a token of another app, and for none. Throws `auth/token-expired`, or `auth/invalid-token` when the session
 * has ended or the signing key is gone. The role is read with each call, so that a change takes effect with the next one.
 */
export async function findMember(deps: Deps, token: string, appId: string): Promise<FoundMember | null> {
  const verdict = await checkToken(deps, await deps.apps.console(), token);
  if (verdict === 'invalid') return null;
  // The service has no such key any more, so the token is invalid: the client refreshes it, as for users.
  if (verdict === 'unknown-key') throw new ApiError('auth/invalid-token');
  if (verdict === 'expired') throw new ApiError('auth/token-expired');
  return readMember(deps, { sessionId: verdict.sid, uid: verdict.sub, appId });
}

/** `auth/invalid-token` when the session has ended. */
export async function readMember(
  deps: Pick<Deps, 'query' | 'apps'>,
  ids: { sessionId: string; uid: string; appId: string },
): Promise<FoundMember> {
  const consoleAppId = (await deps.apps.console()).id;
  const row = await findLiveMember(deps.query, { ...ids, consoleAppId });
  if (!row) throw new ApiError('auth/invalid-token');
  const { ownsService, membership, appExists, ...session } = row;
  const role = appExists ? roleInApp({ ownsService, membership }) : null;
  return { uid: session.uid, role, ownsService, session, appExists, consoleAppId };
}

/** Whether the session was started with a second factor, or the member has enrolled one in it. */
export function hasSecondFactor({ session }: Pick<CallingMember, 'session'>): boolean {
  return session.amr.includes('mfa');
}

/** The requirement of the owners takes effect at once, also for sessions that were started before. */
export async function requireSecondFactor(deps: Pick<Deps, 'apps'>, member: CallingMember): Promise<void> {
  const { appKey } = await deps.apps.console();
  // The copy of `console` above is as old as the process.
  const app = await deps.apps.byKey(appKey);
  if (app && secondFactorRule(app) === 'required' && !hasSecondFactor(member))
    throw new ApiError('auth/second-factor-required');
}

export type MemberCall = {
  /** The app that the call acts on. */
  appId: string;
  needed: readonly Role[] | null;
  /** An app in which the member has no role is answered like an unknown one, so that apps cannot be enumerated. */
  hidesApp: boolean;
  ip: string | null;
};

/** Refusals are audited once a minute in the app that the call acts on, as those of secret keys are. */
export function requireRole(deps: Pick<Deps, 'auditBuffer'>, member: FoundMember, call: MemberCall): void {
  const { appId, hidesApp, ip } = call;
  const refusal = checkRole(member.role, call.needed);
  if (!refusal) return;
  const { reason, needed } = refusal;
  if (member.appExists) {
    const name = `member:${member.uid}`;
    deps.auditBuffer.add({
      appId,
      actor: { name, ip },
      action: 'member.refused',
      target: name,
      // The deletion of the account then clears the IP address in the log of team accounts.
      ...(appId === member.consoleAppId && { uid: member.uid }),
      onceAMinute: `member.refused ${reason}`,
      details: { reason, role: needed },
    });
  }
  const hidden = reason === 'not-a-member' && hidesApp;
  throw new ApiError(hidden ? 'console/app-not-found' : 'console/insufficient-role');
}
