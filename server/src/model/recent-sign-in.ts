// Checks that the sign-in is recent enough for a sensitive operation. Only sign-in and reauthentication renew it.
import type { Clock } from '../lib/clock.js';
import type { App } from './app.js';

/** False for a sign-in as far in the future: the clock has stepped back, and it would be recent for as much longer. */
export function signedInRecently(
  deps: { clock: Clock },
  caller: { app: App; session: { authTime: Date } | null },
): boolean {
  if (!caller.session) return false;
  const age = deps.clock.now().getTime() - caller.session.authTime.getTime();
  return Math.abs(age) <= caller.app.settings.recent_sign_in_minutes * 60_000;
}
