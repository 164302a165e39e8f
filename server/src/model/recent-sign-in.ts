// Checks that the sign-in is recent enough for a sensitive operation. Only sign-in and reauthentication renew it.
import type { Clock } from '../lib/clock.js';
import { type App, secondFactorRule } from './app.js';
import type { LiveSession } from './session.js';

/**
 * A sign-in from the future is not recent: the clock has stepped back. Nor is one without the second factor that the user has
 * enrolled since: whoever signed in with a stolen password could remove the factor, or add a passkey beside it.
 */
export function signedInRecently(
  deps: { clock: Clock },
  caller: { app: App; session: Pick<LiveSession, 'authTime' | 'amr' | 'secondFactor'> | null },
): boolean {
  if (!caller.session) return false;
  const { authTime, amr, secondFactor } = caller.session;
  if (secondFactor && secondFactorRule(caller.app) !== 'off' && !amr.includes('mfa')) return false;
  const age = deps.clock.now().getTime() - authTime.getTime();
  return Math.abs(age) <= caller.app.settings.recent_sign_in_minutes * 60_000;
}
