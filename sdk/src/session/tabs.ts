// Tabs that share a storage follow each other's sign-ins, sign-outs and refreshes. Access tokens travel between them
// over a channel and are never stored.
import type { TokenAnswer } from '../generated/models.js';
import { until } from '../http/bounded.js';
import type { ActiveSession, Core, Stored } from './core.js';
import { withLock } from './lock.js';
import { ready } from './restore.js';
import { activate, adopt, freshToken, merge, refreshesOf, setAccess } from './session.js';
import { readStored, writeStored } from './vault.js';

/** What tabs send each other: an announcement of tokens, or without tokens a request for them. */
export type TabMessage = { id: number | undefined } & Partial<TokenAnswer & { serial: number }>;

/** Joins the other tabs, until the client is disposed of. */
export function followTabs(core: Core): void {
  const { tokenStorage, storageKey } = core;
  const unsubscribe = tokenStorage.subscribe?.(storageKey, () => void sync(core));
  const onMessage = (data: unknown) => {
    const session = core.active;
    const message = data as TabMessage;
    if (!session || session.id !== message.id) return;
    if (message.access_token) adoptTokens(core, session, message as TokenAnswer & TabMessage);
    else announce(core, session);
  };
  try {
    core.peers = tokenStorage.channel?.(storageKey, onMessage);
  } catch {} // Without a channel, as in a sandboxed frame, each tab refreshes by itself.
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
  setAccess(session, message, serial);
  merge(core, { user, online: true });
  // The tab that received it stored it in its own storage only. The next refresh stores it otherwise.
  if (core.tokenStorage.isPerTab) writeStored(core, session).catch(() => {});
}

/** Gives the other tabs the session's tokens. */
export function announce({ peers }: Core, session: ActiveSession): void {
  const access_token = freshToken(session);
  const { access, id, refreshes: serial, refreshToken, user } = session;
  if (access_token && refreshesOf(session) === serial) {
    const expires_in = (access!.lifeMs - access!.ageMs()) / 1_000;
    peers?.postMessage({ id, serial, user, access_token, expires_in, refresh_token: refreshToken });
  }
}

/**
 * Waits for the tokens of another tab, when this one has none that belong to its refresh token. Without a lock each tab refreshes
 * for itself; a page simulated in Node, whose timers may be fake, has none.
 */
export async function ask(
  { peers, tokenStorage }: Core,
  session: ActiveSession,
  waitMs: number,
): Promise<void> {
  const isAnswered = () => refreshesOf(session) === session.refreshes;
  if (!peers || !tokenStorage.lock || isAnswered()) return;
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
