// Shares the free slots among the apps with due deliveries. Each app is claimed by a statement of its own, so that the tables
// can be distributed by app.
import type { Deps } from '../../deps.js';
import { leaseMilliseconds } from './attempt.js';
import {
  type Claim,
  type ClaimedDelivery,
  claimDeliveries,
  type DueWebhook,
  findDueWebhooks,
} from './store.js';

export type Slots = Pick<Claim, 'leaseId' | 'limit'> & {
  /** Concurrent attempts per webhook: for a working one, and for one whose last attempt failed. */
  perWebhook: { working: number; failing: number };
  /** Concurrent attempts per app. */
  perApp: number;
  /** Running attempts by webhook id and by app id. */
  running: Record<string, number>;
};

/**
 * One app after another: working webhooks before failing ones, apps with the fewest running attempts first. Each claim has a
 * lease of its own length, since the claims before it may have been slow.
 */
export async function* claimDue(
  { prisma, clock }: Pick<Deps, 'prisma' | 'clock'>,
  slots: Slots,
): AsyncGenerator<ClaimedDelivery[]> {
  const due = await findDueWebhooks(prisma, clock.now());
  const running = new Map(Object.entries(slots.running));
  const runningOf = (id: string) => running.get(id) ?? 0;
  let left = slots.limit;
  for (const failing of [false, true]) {
    const most = failing ? slots.perWebhook.failing : slots.perWebhook.working;
    const apps = freeSlots(due, (webhook) =>
      webhook.failing === failing ? most - runningOf(webhook.id) : 0,
    );
    const waiting = [...apps.keys()].sort((one, other) => runningOf(one) - runningOf(other));
    for (const [index, appId] of waiting.entries()) {
      const share = Math.min(Math.ceil(left / (waiting.length - index)), slots.perApp - runningOf(appId));
      if (share <= 0) continue;
      const now = clock.now();
      const until = new Date(now.getTime() + leaseMilliseconds);
      const claim = { ...slots, now, until, appId, webhooks: apps.get(appId) ?? {}, limit: share };
      const claimed = await claimDeliveries(prisma, claim);
      left -= claimed.length;
      running.set(appId, runningOf(appId) + claimed.length);
      yield claimed;
    }
  }
}

/** The free slots of webhooks that have any, by app and webhook. */
function freeSlots(
  due: DueWebhook[],
  free: (webhook: DueWebhook) => number,
): Map<string, Record<string, number>> {
  const apps = new Map<string, Record<string, number>>();
  for (const webhook of due) {
    const count = free(webhook);
    if (count > 0) apps.set(webhook.appId, { ...apps.get(webhook.appId), [webhook.id]: count });
  }
  return apps;
}
