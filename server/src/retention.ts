// Retention: how long rows are stored before the daily job deletes them (docs/data-retention.md).
import { limits } from '@foyer/contract';
import type { PrismaClient } from '@foyer/prisma';
import { deleteAuditEntriesBefore, deleteExpiredAuditEntries } from './audit/list-entries.js';
import { deleteCodesSentBefore } from './codes/send-code.js';
import type { Deps } from './deps.js';
import { deleteEventsBefore } from './events/list-events.js';
import { deleteExpiredKeys } from './idempotency/claim-key.js';
import { deleteIdTokensSeenBefore } from './identities/prove-identity.js';
import { before, dayMilliseconds } from './lib/timestamp.js';
import { deleteIdleDevices, deleteInvalidDevices } from './push/devices/register-device.js';
import { deleteMessagesBefore, deleteReceiptsBefore } from './push/messages/send-message.js';
import { deleteSessionsEndedBefore } from './sessions/end-sessions.js';
import { deleteRetiredBefore } from './tokens/rotate-signing-keys.js';
import { retiredMilliseconds } from './tokens/signing-keys.js';
import { deleteIdleV1Tokens } from './v1/tokens/end-v1-tokens.js';
import { deleteOldDeliveries } from './webhooks/deliveries/delivery-worker.js';
import { deletePreviousSecrets } from './webhooks/endpoints/rotate-secret.js';

type Rule = {
  milliseconds: number;
  /** Deletes at most `maxRows` rows from before `time`; returns how many. */
  delete: (prisma: PrismaClient, time: Date, maxRows: number) => Promise<number>;
};

const days = (count: number) => count * dayMilliseconds;
/** For rows that store their own expiry. */
const expired = 0;

export const retention = {
  /** After their end or expiry. A token of a session without a row is answered as revoked. */
  sessions: { milliseconds: days(30), delete: deleteSessionsEndedBefore },
  v1Tokens: { milliseconds: days(limits.v1TokenIdleDays), delete: deleteIdleV1Tokens },
  codes: { milliseconds: days(1), delete: deleteCodesSentBefore },
  /** Used ID tokens, until they are too old to be accepted. */
  idTokens: {
    milliseconds: (limits.maxIdTokenAgeSeconds + limits.idTokenClockSeconds) * 1_000,
    delete: deleteIdTokensSeenBefore,
  },
  invalidDevices: { milliseconds: days(limits.pushInvalidDeviceDays), delete: deleteInvalidDevices },
  idleDevices: { milliseconds: days(limits.pushDeviceIdleDays), delete: deleteIdleDevices },
  /** Before their messages, through which they are found. */
  receipts: { milliseconds: days(limits.pushMessageDays), delete: deleteReceiptsBefore },
  messages: { milliseconds: days(limits.pushMessageDays), delete: deleteMessagesBefore },
  idempotencyKeys: { milliseconds: expired, delete: deleteExpiredKeys },
  events: { milliseconds: days(limits.eventDays), delete: deleteEventsBefore },
  deliveries: { milliseconds: days(limits.eventDays), delete: deleteOldDeliveries },
  previousWebhookSecrets: { milliseconds: expired, delete: deletePreviousSecrets },
  /** Entries that name neither a user nor a secret key. */
  countedAuditEntries: { milliseconds: expired, delete: deleteExpiredAuditEntries },
  auditEntries: { milliseconds: days(limits.auditDays), delete: deleteAuditEntriesBefore },
  retiredSigningKeys: {
    milliseconds: retiredMilliseconds,
    delete: (prisma, time) => deleteRetiredBefore(prisma, time),
  },
} satisfies Record<string, Rule>;

const batchRows = 5_000;

/** In batches, so that no statement holds its locks for long. */
export async function purge(
  deps: Pick<Deps, 'prisma' | 'clock'>,
  ...names: (keyof typeof retention)[]
): Promise<void> {
  for (const name of names) {
    const rule: Rule = retention[name];
    const time = before(deps.clock.now(), rule.milliseconds);
    while ((await rule.delete(deps.prisma, time, batchRows)) === batchRows);
  }
}
