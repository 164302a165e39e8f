// Renews the access token of a session: one refresh at a time in this client, and across tabs by the storage's lock.
// A response may be lost after the token was spent, so retries send the same token within the 30 seconds in which the
// service repeats its response; a timeout never means "not spent".
import type { FoyerError } from '../errors.js';
import type { TokenAnswer } from '../generated/models.js';
import { isTransient, withRetries } from '../http/retry.js';
import { stopwatch } from '../http/stopwatch.js';
import type { ActiveSession, Core } from './core.js';
import { withLock } from './lock.js';
import { isDenied, refreshOnce } from './refresh.js';
import { adopt, endSession, merge, refreshesOf, required, setAccess } from './session.js';
import { announce, ask } from './tabs.js';
import { readStored, writeStored } from './vault.js';

/** How long a tab waits for the access token of another, and when the storage shows that there is one. */
const answerMs = 100;
const newTokenMs = 2_000;
/** The longest time that a `Retry-After` postpones the next refresh. */
export const maxBackoffMs = 60_000;

/**
 * Joins the session's pending renewal, or starts one. Requires an access token from a later refresh than `before`; another
 * tab's counts.
 */
export async function renew(
  core: Core,
  session: ActiveSession,
  before: number,
  maxRetries?: number,
): Promise<void> {
  const { renewal } = session;
  session.renewal ??= attempt(core, session, before, maxRetries).finally(() => {
    session.renewal = undefined;
  });
  await session.renewal;
  // The joined renewal may have settled for an older one.
  if (renewal && refreshesOf(session) <= before) await renew(core, session, before, maxRetries);
}

/** Stores the session's refresh token: a new access token is not used before that. */
export async function save(core: Core, session: ActiveSession): Promise<void> {
  await writeStored(core, session);
  session.unsaved = false;
}

async function attempt(core: Core, session: ActiveSession, before: number, maxRetries = 3): Promise<void> {
  const { backoff } = session;
  if (backoff && backoff.ageMs() < Math.min(backoff.error.retryAfterMs!, maxBackoffMs)) throw backoff.error;
  const { refreshes } = session;
  const elapsedMs = stopwatch();
  let code: string | undefined;
  try {
    await withLock(core, async () => {
      // Another tab may have spent this token, or signed in, while this one waited for the lock or could not store.
      const stored = await readStored(core);
      adopt(core, session, stored ?? (session.unsaved ? session : null));
      // No token is spent while the storage cannot be written: its successor would be lost at the next start. One that may be
      // spent is sent again, because the service repeats its response for 30 seconds only.
      await save(core, session).catch((error) => {
        if (session.lostToken !== session.refreshToken) throw error;
      });
      await ask(core, session, session.refreshes > refreshes ? newTokenMs : answerMs);
      if (refreshesOf(session) <= before) await refresh(core, session, maxRetries);
    });
  } catch (error) {
    const failure = error as FoyerError;
    code = failure.code;
    if (failure.retryAfterMs) session.backoff = { error: failure, ageMs: stopwatch() };
    if (session === core.active && isTransient(failure)) merge(core, { online: false });
    else core.recover();
    throw error;
  } finally {
    core.emit({ type: 'refresh', code, durationMs: elapsedMs() });
  }
}

async function refresh(core: Core, session: ActiveSession, maxRetries: number): Promise<void> {
  const { signal } = session.ended;
  for (let adopted = false; ; adopted = true) {
    const spent = session.refreshToken;
    if (session.sent?.refreshToken !== spent) session.sent = { refreshToken: spent, ageMs: stopwatch() };
    try {
      const send = () =>
        refreshOnce(core, spent, signal).catch((error) => {
          if (/^client/.test(error.code)) session.lostToken = spent;
          throw error;
        });
      return await store(core, session, await withRetries(core, send, maxRetries, signal));
    } catch (error) {
      required(core, session);
      // The service refused the request before it spent the token.
      if (!isTransient(error as FoyerError)) delete session.sent;
      if (!isDenied(error)) throw error;
      adopt(core, session, await readStored(core));
      if (session.refreshToken === spent) {
        endSession(core, 'revoked');
        // A token that cannot be removed is revoked; the next start detects that.
        await writeStored(core, null).catch(() => {});
        throw error;
      }
      if (adopted) throw error;
    }
  }
}

async function store(core: Core, session: ActiveSession, answer: TokenAnswer): Promise<void> {
  required(core, session);
  session.refreshToken = answer.refresh_token;
  session.refreshes += 1;
  session.unsaved = true;
  setAccess(session, answer);
  // Another tab may have stored a later token, or a new session. If the storage cannot be read, the write decides.
  adopt(core, session, await readStored(core).catch(() => session));
  if (session.unsaved) await save(core, session);
  merge(core, { user: answer.user, online: true });
  announce(core, session);
}
