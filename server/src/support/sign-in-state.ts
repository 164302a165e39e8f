// What keeps a user from signing in: the limits that are reached, and the latest entries of the audit log. Failures are stored
// there only, so that a sign-in writes nothing for this page.
import { type AuditAction, limits, type SignInState } from '@foyer/contract';
import { type LimitedUser, type LimitOfUser, onePerNetwork } from '../../engines/limiter/index.js';
import { type Account, findAccountById } from '../accounts/account.js';
import { referencesIn, serializeEntry } from '../audit/list-entries.js';
import { namesOf } from '../audit/names.js';
import { type EntryRow, findEntryOfUser, listAuditEntries, readEntriesOfUser } from '../audit/store.js';
import { change } from '../change.js';
import { codePurposes } from '../codes/store.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { firstUlidAt } from '../lib/crypto/ulid-bytes.js';
import { networkOf } from '../lib/ip-network.js';
import { dayMilliseconds, timestamp } from '../lib/timestamp.js';
import type { App } from '../model/app.js';
import type { Call } from '../model/call.js';
import { forgetGuesses, guessesLimitedUntil } from '../second-factor/guess-limit.js';
import { guessesPolicy } from '../second-factor/guess-rules.js';
import { isVerifiedFor } from '../sessions/known-client.js';

/** Of the user's entries, and of those of the whole app that are searched for the user. */
const maxEntries = { ofUser: 1_000, disabled: 10_000, refusedTokens: 200 };
/** Each has a few windows for each kind of code. */
const maxNetworks = 10;
const maxDevices = 5;
const refusedTokenDays = 7;

const successes: readonly string[] = ['user.signed_in', 'user.signed_up'] satisfies AuditAction[];
const failures: readonly string[] = [
  'user.sign_in_failed',
  'user.guesses_limited',
  'user.second_factor_failed',
  'user.reauthentication_failed',
  'user.password_reset_failed',
  'user.email_confirmation_failed',
  'identity.link_failed',
  'session.refresh_reuse',
] satisfies AuditAction[];

export async function readSignInState(deps: Deps, app: App, uid: string): Promise<SignInState> {
  const account = await requireAccount(deps, app, uid);
  const entries = await entriesOf(deps, account);
  const reached = await reachedLimits(deps, app, account, limitedUser(deps, account, entries));
  const disabled = account.disabled
    ? await findEntryOfUser(deps.prisma, account, 'user.disabled', maxEntries.disabled)
    : null;
  const success = entries.find(({ action }) => successes.includes(action)) ?? null;
  const failed = entries.filter(({ action }) => failures.includes(action));
  const failure = failed[0] ?? null;
  const refused = await refusedTokens(deps, app, entries);
  const shown = [disabled, success, failure, ...refused].filter((row) => row !== null);
  const names = await namesOf(deps, app, referencesIn(shown), { users: true });
  const serialized = (row: EntryRow | null) => row && serializeEntry(row, names);
  return {
    limits: reached.slice(0, limits.signInLimitsShown).map(({ policy, ip, until }) => ({
      policy,
      ip_address: ip,
      until: timestamp(until),
    })),
    disabled_by: serialized(disabled),
    last_success: serialized(success),
    last_failure: serialized(failure),
    failures: countSince(success, failed),
    refused_tokens: refused.map((row) => serializeEntry(row, names)),
  };
}

/** Repeated failures share an entry, with their number. Ids sort by time. */
function countSince(success: EntryRow | null, failed: EntryRow[]): number {
  const since = failed.filter(({ id }) => success === null || id > success.id);
  const counts = since.map(({ details }) => (details as { count?: number }).count ?? 1);
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The entry precedes the effect: a crash between them leaves the limits as they are, and nothing unrecorded. */
export async function liftLimits(deps: Deps, call: Call, uid: string): Promise<void> {
  const { app } = call;
  const account = await requireAccount(deps, app, uid);
  const user = limitedUser(deps, account, await entriesOf(deps, account));
  const reached = await reachedLimits(deps, app, account, user);
  const names = [...new Set(reached.map(({ policy }) => policy))];
  await change(deps, call, async (tx, record) => {
    await forgetGuesses(tx, account);
    await record.audit({ action: 'user.limits_lifted', uid, details: { limits: names } });
  });
  await deps.limiter.clear(app, user);
}

/** Guesses at a second factor are counted in its row, all others in the windows of the limiter. */
async function reachedLimits(
  deps: Pick<Deps, 'prisma' | 'clock' | 'limiter'>,
  app: App,
  account: Account,
  user: LimitedUser,
): Promise<LimitOfUser[]> {
  const until = await guessesLimitedUntil(deps.prisma, account, deps.clock.now());
  const reached = await deps.limiter.reachedBy(app, user);
  return until ? [{ policy: guessesPolicy, ip: null, until }, ...reached] : reached;
}

async function requireAccount(deps: Pick<Deps, 'query'>, app: App, uid: string): Promise<Account> {
  const account = await findAccountById(deps.query, app.id, uid);
  if (account === null) throw new ApiError('auth/user-not-found');
  return account;
}

async function entriesOf(deps: Pick<Deps, 'prisma' | 'auditBuffer'>, account: Account): Promise<EntryRow[]> {
  // Includes entries that this instance has buffered.
  await deps.auditBuffer.flush();
  return readEntriesOfUser(deps.prisma, account, maxEntries.ofUser);
}

/** The longest window is a day: networks and devices of earlier entries have none. */
function limitedUser(deps: Pick<Deps, 'clock'>, account: Account, entries: EntryRow[]): LimitedUser {
  const since = deps.clock.now().getTime() - dayMilliseconds;
  const recent = entries.filter(({ createdAt }) => createdAt.getTime() >= since);
  const devices = recent.flatMap(({ details }) => {
    const { device } = details as { device?: unknown };
    return typeof device === 'string' ? [device] : [];
  });
  return {
    uid: account.uid,
    email: account.email,
    ips: onePerNetwork(ipsOf(recent)).slice(0, maxNetworks),
    deviceIds: [...new Set(devices)].slice(0, maxDevices),
    kinds: codePurposes.map((kind) => ({ kind, isVerified: isVerifiedFor(account, kind) })),
  };
}

function ipsOf(entries: EntryRow[]): string[] {
  return entries.flatMap(({ ip }) => ip ?? []);
}

/** Refused tokens name no user: those from networks where the user has been may be of the user. */
async function refusedTokens(deps: Deps, app: App, entries: EntryRow[]): Promise<EntryRow[]> {
  const networks = new Set(ipsOf(entries).map(networkOf));
  const since = new Date(deps.clock.now().getTime() - refusedTokenDays * dayMilliseconds);
  const filters = { action: 'provider.token_refused', fromId: firstUlidAt(timestamp(since)) };
  const rows = await listAuditEntries(deps.prisma, app.id, filters, maxEntries.refusedTokens);
  return rows
    .filter(({ ip }) => ip !== null && networks.has(networkOf(ip)))
    .slice(0, limits.shownRefusedTokens);
}
