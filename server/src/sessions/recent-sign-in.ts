// Whether a session's sign-in is recent enough for a sensitive call. Only a sign-in or a reauthentication renews it.
import type { Deps } from '../deps.js';
import type { App } from '../model/app.js';

export function signedInRecently(
  deps: Pick<Deps, 'clock'>,
  caller: { app: App; session: { authTime: Date } | null },
): boolean {
  if (!caller.session) return false;
  const age = deps.clock.now().getTime() - caller.session.authTime.getTime();
  return age <= caller.app.settings.recent_sign_in_minutes * 60_000;
}
