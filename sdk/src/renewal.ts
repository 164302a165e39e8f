// Renews the access token of a session: one refresh at a time in this client, and across tabs by the storage's lock.

import type { ActiveSession } from './active-session.js';
import type { CurrentSession } from './current-session.js';
import { isFoyerError } from './errors.js';
import type { Emit } from './events.js';
import type { TokenAnswer } from './generated/models.js';
import type { Send } from './http.js';
import { isDenied, refreshTokens } from './refresh.js';
import { isTransient } from './retry.js';
import { stopwatch } from './stopwatch.js';
import type { Vault } from './vault.js';

interface Parts {
  current: CurrentSession;
  vault: Vault;
  send: Send;
  emit: Emit;
  withSessionLock: <T>(work: () => Promise<T>) => Promise<T>;
  onFailure: () => void;
  announce: (session: ActiveSession) => void;
}

export interface Renewal {
  /** Joins the session's pending renewal, or starts one. */
  join(session: ActiveSession, maxRetries?: number): Promise<void>;
  /** Stores the session's refresh token: a new access token is not used before that. */
  save(session: ActiveSession): Promise<void>;
}

export function createRenewal({
  current,
  vault,
  send,
  emit,
  withSessionLock,
  onFailure,
  announce,
}: Parts): Renewal {
  async function renew(session: ActiveSession, maxRetries: number): Promise<void> {
    const { backoff } = session;
    if (backoff && backoff.ageMs() < backoff.error.retryAfterMs!) throw backoff.error;
    const { serial } = session;
    const elapsedMs = stopwatch();
    let code: string | undefined;
    try {
      await (session.unsaved ? save(session) : withSessionLock(() => refresh(session, serial, maxRetries)));
    } catch (error) {
      if (!isFoyerError(error)) throw error;
      code = error.code;
      if (session === current.active && isTransient(error)) current.merge({ online: false });
      if (error.retryAfterMs) session.backoff = { error, ageMs: stopwatch() };
      onFailure();
      throw error;
    } finally {
      emit({ type: 'refresh', code, durationMs: elapsedMs() });
    }
  }

  async function refresh(session: ActiveSession, before: number, maxRetries: number): Promise<void> {
    // Another tab may have spent this token while this one waited for the lock.
    current.adopt(session, await vault.read());
    if (session.access && session.access.serial > before) return;
    for (let adopted = false; ; adopted = true) {
      const spent = session.refreshToken;
      if (session.sent?.token !== spent) session.sent = { token: spent, ageMs: stopwatch() };
      try {
        return await store(
          session,
          spent,
          await refreshTokens(send, spent, maxRetries, emit, session.ended.signal),
        );
      } catch (error) {
        current.required(session);
        // The service refused the request before it spent the token.
        if (isFoyerError(error) && !isTransient(error)) delete session.sent;
        if (!isDenied(error)) throw error;
        current.adopt(session, await vault.read());
        if (session.refreshToken === spent) {
          current.end('revoked');
          // A token that cannot be removed is revoked; the next start detects that.
          await vault.write(null).catch(() => {});
          throw error;
        }
        if (adopted) throw error;
      }
    }
  }

  async function store(session: ActiveSession, spent: string, answer: TokenAnswer): Promise<void> {
    const stored = await vault.read().catch(() => undefined);
    // If the storage cannot be read, the write below decides.
    current.adopt(session, stored === undefined ? session : stored);
    // A token that another tab stored meanwhile is at least as new.
    if (session.refreshToken === spent) {
      session.refreshToken = answer.refresh_token;
      session.serial += 1;
      session.unsaved = true;
    }
    current.grant(session, answer);
    if (session.unsaved) await save(session);
    current.merge({ user: answer.user, online: true });
    announce(session);
  }

  async function save(session: ActiveSession): Promise<void> {
    await vault.write(session);
    session.unsaved = false;
  }

  return {
    save,
    join(session, maxRetries = 3) {
      session.renewal ??= renew(session, maxRetries).finally(() => {
        session.renewal = undefined;
      });
      return session.renewal;
    },
  };
}
