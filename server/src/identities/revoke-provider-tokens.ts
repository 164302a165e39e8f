// Revokes provider B's refresh token of a deleted account or an unlinked identity. The job outlives the account, since the
// provider may be unavailable for long: it is retried for 30 days.
import type { Db, Tx } from '@foyer/prisma';
import { writeAuditEntry } from '../audit/entry.js';
import type { Deps } from '../deps.js';
import { dayMilliseconds } from '../lib/timestamp.js';
import { theService } from '../model/actor.js';
import { clientSecretOf, revokeAtProviderB } from './provider-b.js';
import { MissingKeyError, reasonOf, recordCallFailure } from './provider-call-failures.js';
import type { RemovedIdentity } from './store.js';
import { decryptToken } from './stored-provider-tokens.js';

const revokeJobs = 'provider_b_revoke';

type RevokeJob = {
  appId: string;
  clientId: string;
  refreshToken: string;
  /** The time by the service's clock, in milliseconds. */
  until: number;
  tries: number;
};

const triedDays = 30;
const firstPauseSeconds = 30;
const maxPauseSeconds = 6 * 60 * 60;

/** Queues revocations for removed identities with a stored token. */
export async function queueRevocations(
  tx: Tx,
  deps: Pick<Deps, 'queue' | 'keyRing' | 'clock' | 'random'>,
  appId: string,
  removed: RemovedIdentity[],
): Promise<void> {
  for (const { provider, subject, clientId, refreshToken } of removed) {
    if (refreshToken === null) {
      if (provider === 'provider-b') await recordMissingToken(tx, deps, appId);
      continue;
    }
    const token = decryptToken(deps.keyRing, { appId, provider, subject }, refreshToken);
    await queueRevocation(tx, deps, { appId, clientId, refreshToken: token });
  }
}

/** Nothing can be revoked: no code was exchanged, because of the settings of the app or because the provider refused it. */
function recordMissingToken(tx: Tx, deps: Pick<Deps, 'clock' | 'random'>, appId: string): Promise<void> {
  const details = { reason: 'no-token', state: 'given-up' } satisfies Record<string, string>;
  const action = 'provider.revocation_failed';
  return writeAuditEntry(tx, deps, {
    appId,
    actor: theService,
    action,
    target: 'provider:provider-b',
    details,
  });
}

export async function queueRevocation(
  db: Db,
  deps: Pick<Deps, 'queue' | 'clock'>,
  token: Pick<RevokeJob, 'appId' | 'clientId' | 'refreshToken'>,
): Promise<void> {
  const until = deps.clock.now().getTime() + triedDays * dayMilliseconds;
  const job: RevokeJob = { ...token, until, tries: 0 };
  await deps.queue.send(db, revokeJobs, job);
}

export function revokeTokens(deps: Deps): void {
  deps.queue.handle<RevokeJob>(revokeJobs, (job) => revokeOrTryLater(deps, job), { expireSeconds: 30 });
}

/**
 * The queue's backoff doubles without bound, and it stores no job for 30 days: each further attempt is a job of its
 * own, after a delay of at most six hours.
 */
async function revokeOrTryLater(deps: Deps, job: RevokeJob): Promise<void> {
  try {
    await revoke(deps, job);
  } catch (error) {
    const log = { err: error, app_id: job.appId, tries: job.tries + 1 };
    const reason = reasonOf(error);
    const isLast = deps.clock.now().getTime() >= job.until;
    // A provider that is down for a while is not reported.
    if (isLast || (job.tries === 0 && reason !== 'unavailable')) {
      const state = isLast ? 'given-up' : 'retrying';
      recordCallFailure(deps, job.appId, 'provider.revocation_failed', { reason, state });
    }
    if (isLast) {
      deps.logger.error(log, 'a token of provider B could not be revoked; giving up');
      return;
    }
    deps.logger.warn(log, 'a token of provider B could not be revoked; retrying later');
    const startAfterSeconds = Math.min(firstPauseSeconds * 2 ** job.tries, maxPauseSeconds);
    await deps.queue.send(deps.prisma, revokeJobs, { ...job, tries: job.tries + 1 }, { startAfterSeconds });
  }
}

async function revoke(deps: Deps, job: RevokeJob): Promise<void> {
  const app = await deps.apps.byId(job.appId);
  if (!app) return;
  const clientSecret = await clientSecretOf(deps, app, job.clientId);
  // The app may set it again before the retries end.
  if (clientSecret === null) throw new MissingKeyError('the app has no private key for provider B');
  await revokeAtProviderB(deps, { clientId: job.clientId, clientSecret }, job.refreshToken);
}
