// The session in memory and the state that listeners receive, which change together. Only the user or the service ends a
// session; a network failure does not.
import type { SignOutReason } from '../api.js';
import { FoyerError } from '../errors.js';
import type { AccessAnswer, TokenAnswer } from '../generated/models.js';
import { abortedError } from '../http/bounded.js';
import { stopwatch } from '../http/stopwatch.js';
import type { ActiveSession, Core, Stored } from './core.js';
import { setState } from './state.js';

export function activate(core: Core, stored: Stored, answer?: TokenAnswer): void {
  const session: ActiveSession = { ...stored, online: true, ended: new AbortController() };
  core.active?.ended.abort();
  core.active = session;
  if (answer) setAccess(session, answer);
  else core.cache?.load(session);
  merge(core, { user: session.user });
}

/** Gives a session the access token of a response; `merge` then caches it. */
export function setAccess(
  session: Pick<ActiveSession, 'refreshes' | 'access' | 'user'>,
  { access_token, expires_in, user }: Omit<AccessAnswer, 'token_type'>,
  refreshes = session.refreshes,
): void {
  session.access = {
    bearer: access_token,
    refreshes,
    ageMs: stopwatch(),
    lifeMs: expires_in * 1_000,
  };
  session.user = user;
}

/** The access token, unless it expires within the margin (at most a fifth of its lifetime). */
export function freshToken({ access }: Partial<ActiveSession>, marginMs = 0): string | undefined {
  return access && access.ageMs() < access.lifeMs - Math.min(marginMs, access.lifeMs / 5)
    ? access.bearer
    : undefined;
}

/** The refresh count at which the access token was issued; -1 without one. */
export function refreshesOf({ access }: ActiveSession): number {
  return access?.refreshes ?? -1;
}

export function endSession(core: Core, reason?: SignOutReason): void {
  if (core.authState.status === 'signedOut') return;
  core.active?.ended.abort();
  core.active = null;
  core.cache?.clear();
  setState(core, { status: 'signedOut', ...(reason && { reason }) });
}

/** Merges data of a response into the session and the state, unless it is of another user. */
export function merge(core: Core, update: Partial<Pick<ActiveSession, 'user' | 'online'>>): void {
  const { active } = core;
  if (active && (update.user ?? active).uid === active.uid) {
    const { uid, user = null, online } = Object.assign(active, update);
    setState(core, { status: 'signedIn', uid, user, online });
    if (update.user) core.cache?.save(active);
  }
  core.recover(update.online);
}

/** Returns `session`; throws unless it is the current one. */
export function required(core: Core, session: ActiveSession | null): ActiveSession {
  if (session && session === core.active) return session;
  throw signedOutError();
}

export function signedOutError(): FoyerError {
  return new FoyerError('client/signed-out', 'Sign in first.');
}

/** Adopts what another tab or process stored; throws when that ends `session`. */
export function adopt(core: Core, session: ActiveSession, stored: Stored | null): void {
  required(core, session);
  if (!stored) endSession(core, 'other-context');
  else if (stored.uid !== session.uid) activate(core, stored);
  else if (stored.id !== session.id || stored.refreshes > session.refreshes) {
    // An access token of the user's earlier session would end that one at a sign-out.
    if (stored.id !== session.id) delete session.access;
    Object.assign(session, stored);
    session.unsaved = false;
  }
  required(core, session);
}

export function assertOpen({ closing }: Core): void {
  if (closing.signal.aborted) throw abortedError();
}
