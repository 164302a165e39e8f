// Tabs that share a storage follow each other's sign-ins, sign-outs and refreshes. Access tokens travel between them
// over a channel and are never stored.
import { until } from './bounded.js';
import type { ActiveSession, Core, Stored } from './core.js';
import type { TokenAnswer } from './generated/models.js';
import { withLock } from './lock.js';
import { ready } from './restore.js';
import { activate, adopt, freshToken, grant, merge, refreshesOf } from './session.js';
import { readStored, writeStored } from './vault.js';

/** What tabs send each other: the tokens of a session, or without them, a question for them. */
export type TabMessage = { id: number | undefined } & Partial<TokenAnswer & { serial: number }>;

/** Joins the other tabs, until the client is disposed of. */
export function followTabs(core: Core): void {
  const { tokenStorage, storageKey } = core;
  const unsubscribe = tokenStorage.subscribe?.(storageKey, () => void sync(core));
  core.peers = tokenStorage.channel?.(storageKey, (data) => {
    const session = core.active;
    const message = data as TabMessage;
    if (!session || session.id !== message.id) return;
    if (message.access_token) adoptTokens(core, session, message as TokenAnswer & TabMessage);
    else announce(core, session);
  });
  core.closing.signal.addEventListener('abort', () => {
    unsubscribe?.();
    core.peers?.close();
    core.peers = undefined;
  });
}

/** Adopts the tokens of another tab, unless this one has newer ones. */
function adoptTokens(core: Core, session: ActiveSession, message: TokenAnswer & TabMessage): void {
  const { serial = 0, refresh_token, user } = message;
  if (serial <= refreshesOf(session)) return;
  if (serial > session.refreshes) Object.assign(session, { refreshes: serial, refreshToken: refresh_token });
  grant(core, session, message, serial);
  merge(core, { user, online: true });
}

/** Gives the other tabs the session's tokens. */
export function announce({ peers }: Core, session: ActiveSession): void {
  const access_token = freshToken(session);
  const { access, id, refreshes: serial, refreshToken, user } = session;
  if (access_token && refreshesOf(session) === serial && user) {
    const expires_in = (access!.lifeMs - access!.ageMs()) / 1_000;
    peers?.postMessage({ id, serial, user, access_token, expires_in, refresh_token: refreshToken });
  }
}

/** Waits for the tokens of another tab, when this one has none that belong to its refresh token. */
export async function ask({ peers }: Core, session: ActiveSession, waitMs: number): Promise<void> {
  const isAnswered = () => refreshesOf(session) === session.refreshes;
  if (!peers || isAnswered()) return;
  peers.postMessage({ id: session.id });
  await until(isAnswered, waitMs);
}

/** Adopts what the storage contains. */
export async function sync(core: Core): Promise<void> {
  const isSignedOut = (stored: Stored | null) => core.signedOut.has(stored?.id);
  try {
    // The read of the startup may be older than the change.
    await ready(core);
    const stored = await readStored(core);
    if (isSignedOut(stored)) {
      // Another tab may be storing a new session.
      await withLock(core, async () => {
        if (isSignedOut(await readStored(core))) await writeStored(core, null);
      });
    } else if (core.active) adopt(core, core.active, stored);
    else if (stored) activate(core, stored);
  } catch {} // The adopted change ended the session, or the next call reads the storage.
}
