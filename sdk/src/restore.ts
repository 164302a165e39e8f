// Restores the session at startup: from the storage, or in exchange for the token of the app's v1 release.
import { pause } from './bounded.js';
import type { CurrentSession } from './current-session.js';
import type { TokenAnswer } from './generated/models.js';
import type { V1Exchange } from './migrate-v1.js';
import type { Renewal } from './renewal.js';
import { newSession, type Vault } from './vault.js';

interface Parts {
  current: CurrentSession;
  vault: Vault;
  renewal: Renewal;
  withSessionLock: <T>(work: () => Promise<T>) => Promise<T>;
  v1: V1Exchange | undefined;
  /** The number of sign-outs so far. */
  signOutCount: () => number;
  /** Ends the session of a response that came too late. */
  discard: (answer: TokenAnswer) => void;
}

export function createRestore({
  current,
  vault,
  renewal,
  withSessionLock,
  v1,
  signOutCount,
  discard,
}: Parts) {
  async function exchangeV1Token(exchange: V1Exchange): Promise<void> {
    const before = signOutCount();
    // Another tab may have exchanged the token while this one waited for the lock.
    if (await adoptStored(exchange)) return;
    const outcome = await exchange.run();
    if (outcome === null || typeof outcome === 'string') {
      // Without a lock another process may have exchanged the token: its session is stored, or about to be.
      if (outcome !== 'deferred' && (await adoptStored(exchange))) return;
      if (outcome === 'rejected') {
        await pause(1_000);
        if (await adoptStored(exchange)) return;
      }
      if (current.isLoading()) current.end(outcome === 'rejected' ? 'migration-rejected' : undefined);
      if (outcome) await exchange.finish(outcome);
      return;
    }
    // Stored even after `dispose`: the v1 token is spent, and the next client has no other.
    if (signOutCount() !== before) discard(outcome);
    else {
      current.activate(newSession(outcome), outcome);
      // The v1 token is spent, so a session that cannot be stored now is stored before its next use.
      const session = current.active!;
      session.unsaved = true;
      await renewal.save(session).catch(() => {});
    }
    await exchange.finish('migrated');
  }

  /** Adopts the session that another tab or process exchanged for the v1 token; false when there is none. */
  async function adoptStored(exchange: V1Exchange): Promise<boolean> {
    const stored = await vault.read();
    if (!stored) return false;
    if (current.isLoading()) current.activate(stored);
    await exchange.clear();
    return true;
  }

  return async (): Promise<void> => {
    await vault.read((stored) => {
      if (!current.isLoading()) return;
      if (stored) current.activate(stored);
      else if (!v1) current.end();
    });
    if (v1 && current.isLoading()) await withSessionLock(() => exchangeV1Token(v1));
    else void v1?.clear();
  };
}
