// The export of a user's data in the fake service: ready at the first call after the request.
import { data, forUser, Refusal, type SignedInCall } from './fake-answer.js';
import type { FakeClock } from './fake-clock.js';
import type { FakeSessions } from './fake-sessions.js';

const dayMs = 86_400_000;
const keptDays = 7;

interface FakeExport {
  requestedAtMs: number;
  fileId: string | null;
}

export function exportHandlers(clock: FakeClock, sessions: FakeSessions) {
  const exports = new Map<string, FakeExport>();

  function answerOf(own: FakeExport | undefined) {
    const expiresAtMs = (own?.requestedAtMs ?? 0) + keptDays * dayMs;
    const ready = own?.fileId != null && clock.now() < expiresAtMs ? own : null;
    const pending = own?.fileId === null ? own : null;
    const shown = ready ?? pending;
    return {
      status: ready ? 'ready' : pending ? 'pending' : 'none',
      requested_at: shown && clock.timestamp(shown.requestedAtMs),
      file_id: ready?.fileId ?? null,
      size: ready ? 2 : null,
      expires_at: ready && clock.timestamp(expiresAtMs),
    };
  }

  return {
    'POST /me/export': forUser(({ session }: SignedInCall) => {
      sessions.requireRecent(session);
      const own = exports.get(session.uid);
      if (own?.fileId != null && clock.now() - own.requestedAtMs < dayMs)
        throw new Refusal('request/rate-limited');
      const requested = own?.fileId === null ? own : { requestedAtMs: clock.now(), fileId: null };
      exports.set(session.uid, requested);
      return data(answerOf(requested), 202);
    }),
    'GET /me/export': forUser(({ session }: SignedInCall) => {
      const own = exports.get(session.uid);
      if (own) own.fileId ??= clock.newId();
      return data(answerOf(own));
    }),
  };
}
