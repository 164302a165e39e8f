// Retention: how long rows are stored before the daily job deletes them (docs/data-retention.md).
import { limits } from '@foyer/contract';
import type { PrismaClient } from '@foyer/prisma';
import { listAppIds, listAppsWithRows } from './apps/store.js';
import { deleteAuditEntriesBefore, deleteExpiredAuditEntries } from './audit/store.js';
import { deleteCodesSentBefore } from './codes/store.js';
import { deleteExpiredInvitations } from './console/invitations/store.js';
import type { Deps } from './deps.js';
import { deleteEventsBefore } from './events/store.js';
import { deleteExpiredKeys } from './idempotency/store.js';
import { deleteIdTokensSeenBefore } from './identities/store.js';
import { before, dayMilliseconds } from './lib/timestamp.js';
import type { BatchEnd, RetentionBatch } from './model/retention-batch.js';
import { deleteChallengesUsedBefore } from './passkeys/store.js';
import { deleteIdleDevices, deleteInvalidDevices, deleteUnusedDevices } from './push/devices/store.js';
import { deleteMessagesBefore, deleteReceiptsBefore } from './push/messages/store.js';
import { deletePendingBefore } from './second-factor/store.js';
import { deleteSessionsEndedBefore } from './sessions/store.js';
import { deleteActiveUsersBefore, deleteCountsBefore } from './stats/store.js';
import { retiredMilliseconds } from './tokens/signing-keys.js';
import { deleteRetiredBefore } from './tokens/store.js';
import { deleteIdleV1Tokens } from './v1-tokens/store.js';
import { deleteOldDeliveries } from './webhooks/deliveries/store.js';
import { deletePreviousSecrets } from './webhooks/endpoints/store.js';

type Rule = {
  milliseconds: number | ((config: Deps['config']) => number);
} & (
  | {
      /**
       * Deletes rows from before `time` and returns how many: at most `maxRows` where an index finds them by the time, all at
       * once where they are few.
       */
      delete: (prisma: PrismaClient, time: Date, maxRows: number) => Promise<number>;
    }
  | {
      /**
       * Deletes the rows of a batch that are due. Returns what it read; or how many rows it deleted, where an index finds
       * them by the time and each batch begins with the oldest.
       */
      deleteOfApp: (prisma: PrismaClient, batch: RetentionBatch) => Promise<BatchEnd | number>;
      /**
       * The apps that may have rows; by default those that exist. Rows without a foreign key may be inserted after the deletion of
       * their app, by an instance that has cached it.
       */
      listApps?: (prisma: PrismaClient) => Promise<string[]>;
    }
);

const days = (count: number) => count * dayMilliseconds;
/** The row stores its own expiry. */
const expired = 0;

export const retention = {
  /** The time after the end or expiry of a session. A token of a session without a row is answered as revoked. */
  sessions: { milliseconds: days(30), deleteOfApp: deleteSessionsEndedBefore },
  v1Tokens: { milliseconds: days(limits.v1TokenIdleDays), deleteOfApp: deleteIdleV1Tokens },
  codes: {
    milliseconds: days(1),
    deleteOfApp: deleteCodesSentBefore,
    listApps: (prisma) => listAppsWithRows(prisma, 'codes'),
  },
  /** Used ID tokens, until they are too old to be accepted. */
  idTokens: {
    milliseconds: (limits.maxIdTokenAgeSeconds + limits.idTokenClockSeconds) * 1_000,
    deleteOfApp: deleteIdTokensSeenBefore,
    listApps: (prisma) => listAppsWithRows(prisma, 'seen_id_tokens'),
  },
  /** Challenges of passkeys, until they have expired on every instance. */
  passkeyChallenges: {
    milliseconds: 2 * limits.passkeyChallengeSeconds * 1_000,
    deleteOfApp: deleteChallengesUsedBefore,
    listApps: (prisma) => listAppsWithRows(prisma, 'used_passkey_challenges'),
  },
  /** Secrets of authenticator apps that were never confirmed. */
  pendingFactors: { milliseconds: days(1), deleteOfApp: deletePendingBefore },
  invalidDevices: { milliseconds: days(limits.pushInvalidDeviceDays), deleteOfApp: deleteInvalidDevices },
  unusedDevices: { milliseconds: days(limits.pushUnusedDeviceDays), deleteOfApp: deleteUnusedDevices },
  idleDevices: { milliseconds: days(limits.pushDeviceIdleDays), deleteOfApp: deleteIdleDevices },
  receipts: {
    milliseconds: days(limits.pushMessageDays),
    deleteOfApp: deleteReceiptsBefore,
    listApps: (prisma) => listAppsWithRows(prisma, 'push_receipts'),
  },
  messages: { milliseconds: days(limits.pushMessageDays), deleteOfApp: deleteMessagesBefore },
  idempotencyKeys: { milliseconds: expired, delete: deleteExpiredKeys },
  invitations: { milliseconds: expired, delete: deleteExpiredInvitations },
  events: { milliseconds: days(limits.eventDays), deleteOfApp: deleteEventsBefore },
  deliveries: { milliseconds: days(limits.eventDays), deleteOfApp: deleteOldDeliveries },
  previousWebhookSecrets: { milliseconds: expired, delete: deletePreviousSecrets },
  /** Entries that name neither a user nor a secret key. */
  countedAuditEntries: { milliseconds: expired, delete: deleteExpiredAuditEntries },
  auditEntries: {
    milliseconds: ({ auditDays }) => days(auditDays),
    deleteOfApp: deleteAuditEntriesBefore,
    listApps: (prisma) => listAppsWithRows(prisma, 'audit_log'),
  },
  dailyStats: { milliseconds: days(limits.statsDays.max), delete: deleteCountsBefore },
  /** No instance adds to the day before after this time. */
  dailyActiveUsers: { milliseconds: days(1), delete: deleteActiveUsersBefore },
  retiredSigningKeys: {
    milliseconds: retiredMilliseconds,
    delete: (prisma, time) => deleteRetiredBefore(prisma, time),
  },
} satisfies Record<string, Rule>;

/** A statement of so many rows takes some 50 ms, and 100 ms on a busy database. */
const batchRows = 1_000;

/**
 * Deletes in batches, so that no statement takes long or holds its locks for long. A batch that deletes fewer rows than it may
 * is not the last: other calls, or another instance, may have deleted some of those that it found.
 */
export async function purge(
  deps: Pick<Deps, 'prisma' | 'clock' | 'config'>,
  ...names: (keyof typeof retention)[]
): Promise<void> {
  for (const name of names) {
    const rule: Rule = retention[name];
    const { milliseconds } = rule;
    const age = typeof milliseconds === 'number' ? milliseconds : milliseconds(deps.config);
    const time = before(deps.clock.now(), age);
    if ('delete' in rule) {
      while ((await rule.delete(deps.prisma, time, batchRows)) > 0);
      continue;
    }
    const { deleteOfApp, listApps = listAppIds } = rule;
    for (const appId of await listApps(deps.prisma)) {
      let after: string | null = '';
      while (after !== null) {
        const end = await deleteOfApp(deps.prisma, { appId, after, time, maxRows: batchRows });
        if (typeof end === 'number') after = end > 0 ? '' : null;
        else after = end.rows === batchRows ? end.last : null;
      }
    }
  }
}
