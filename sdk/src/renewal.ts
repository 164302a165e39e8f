// Renews the access token of a session: one refresh at a time in this client, and across tabs by the storage's lock.
// A response may be lost after the token was spent, so retries send the same token within the 30 seconds in which the
// service repeats its response; a timeout never means "not spent".
import type { ActiveSession, Core } from './core.js';
import { isFoyerError } from './errors.js';
import type { TokenAnswer } from './generated/models.js';
import { withLock } from './lock.js';
import { isDenied, refreshOnce } from './refresh.js';
import { isTransient, withRetries } from './retry.js';
import { adopt, endSession, grant, merge, refreshesOf, required } from './session.js';
import { stopwatch } from './stopwatch.js';
import { announce, ask } from './tabs.js';
import { readStored, writeStored } from './vault.js';

/** How long a tab waits for the access token of another, and when the storage shows that there is one. */
const answerMs = 100;
const newTokenMs = 2_000;

/**
 * Joins the session's pending renewal, or starts one. An access token that another tab received with a later refresh
 * token than `before` will do; by default a later one than that of the current access token.
 */
export async function renew(
  core: Core,
  session: ActiveSession,
  before?: number,
  maxRetries?: number,
): Promise<void> {
  const { renewal } = session;
  session.renewal ??= attempt(core, session, before ?? refreshesOf(session), maxRetries).finally(() => {
    session.renewal = undefined;
  });
  await session.renewal;
  // The joined renewal may have settled for an older one.
  if (renewal && refreshesOf(session) <= before!) await renew(core, session, before, maxRetries);
}

/** Stores the session's refresh token: a new access token is not used before that. */
export async function save(core: Core, session: ActiveSession): Promise<void> {
  await writeStored(core, session);
  session.unsaved = false;
}

async function attempt(core: Core, session: ActiveSession, before: number, maxRetries = 3): Promise<void> {
  const { backoff } = session;
  if (backoff && backoff.ageMs() < backoff.error.retryAfterMs!) throw backoff.error;
  const { refreshes } = session;
  const elapsedMs = stopwatch();
  let code: string | undefined;
  try {
    await withLock(core, async () => {
      // Another tab may have spent this token, or signed in, while this one waited for the lock or could not store.
      const stored = await readStored(core);
      if (stored || !session.unsaved) adopt(core, session, stored);
      if (session.unsaved) return save(core, session);
      await ask(core, session, session.refreshes > refreshes ? newTokenMs : answerMs);
      if (refreshesOf(session) <= before) await refresh(core, session, maxRetries);
    });
  } catch (error) {
    if (!isFoyerError(error)) throw error;
    code = error.code;
    if (error.retryAfterMs) session.backoff = { error, ageMs: stopwatch() };
    if (session === core.active && isTransient(error)) merge(core, { online: false });
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
    const { sent } = session;
    try {
      const send = () =>
        refreshOnce(core, spent, signal).catch((error) => {
          sent.isLost ||= /^client/.test(error.code);
          throw error;
        });
      return await store(core, session, await withRetries(core, send, maxRetries, signal));
    } catch (error) {
      required(core, session);
      // The service refused the request before it spent the token.
      if (isFoyerError(error) && !isTransient(error)) delete session.sent;
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
  grant(core, session, answer);
  // Another tab may have stored a later token, or a new session. If the storage cannot be read, the write decides.
  adopt(core, session, await readStored(core).catch(() => session));
  if (session.unsaved) await save(core, session);
  merge(core, { user: answer.user, online: true });
  announce(core, session);
}
