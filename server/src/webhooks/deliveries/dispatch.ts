// From events to deliveries: one for each webhook that wants the event, written in the transaction that takes the event
// off the waiting ones. Events are marked one by one, since they commit in another order than that of their ids.
import { limits } from '@foyer/contract';
import type { Prisma } from '@foyer/prisma';
import type { Deps } from '../../deps.js';
import {
  insertDeliveries,
  isAnythingWaiting,
  listEventsOfReplay,
  listReceivers,
  lockReplay,
  lockWaitingEvents,
  lockWaitingEventsOf,
  moveReplay,
  type NewDelivery,
  type Receiver,
  settleEvents,
  type WaitingEvent,
} from './store.js';

type DispatchDeps = Pick<Deps, 'prisma' | 'clock' | 'random'>;

const eventsPerBatch = 500;

/**
 * Writes the deliveries of all events that wait, and of one stretch of a replay. True when a replay may have more: what
 * happened meanwhile, in any app, goes before the rest of it.
 */
export async function dispatchEvents(deps: DispatchDeps): Promise<boolean> {
  if (!(await isAnythingWaiting(deps.prisma))) return false;
  while ((await dispatchBatch(deps)) === eventsPerBatch);
  return dispatchReplayBatch(deps);
}

function dispatchBatch(deps: DispatchDeps): Promise<number> {
  return deps.prisma.$transaction(async (tx) => {
    const events = await lockWaitingEvents(tx, eventsPerBatch);
    await dispatchIn(tx, deps, events);
    return events.length;
  });
}

/**
 * To be called before a webhook of the app is made, changed or disabled, in that transaction: what happened until now is
 * for the webhooks as they were until now.
 */
export async function dispatchEventsOf(
  tx: Prisma.TransactionClient,
  deps: Pick<Deps, 'clock' | 'random'>,
  appId: string,
): Promise<void> {
  for (;;) {
    const events = await lockWaitingEventsOf(tx, appId, eventsPerBatch);
    await dispatchIn(tx, deps, events);
    if (events.length < eventsPerBatch) return;
  }
}

async function dispatchIn(
  tx: Prisma.TransactionClient,
  deps: Pick<Deps, 'clock' | 'random'>,
  events: WaitingEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const receivers = await listReceivers(tx, [...new Set(events.map(({ appId }) => appId))]);
  const now = deps.clock.now();
  await insertDeliveries(tx, deliveriesOf(deps, events, receivers, now), 'event', now);
  await settleEvents(tx, events);
}

/**
 * The next stretch of the oldest replay that may go on; false when there is none. No more are written than may be pending:
 * for a receiver that is down, events wait where they are and not as rows of deliveries.
 */
function dispatchReplayBatch(deps: DispatchDeps): Promise<boolean> {
  return deps.prisma.$transaction(async (tx) => {
    const replay = await lockReplay(tx, limits.webhookReplayPending);
    if (!replay) return false;
    const { appId, endpointId, types, pending } = replay;
    const most = Math.min(eventsPerBatch, limits.webhookReplayPending - pending);
    const events = await listEventsOfReplay(tx, replay, most);
    const now = deps.clock.now();
    const receiver = { appId, id: endpointId, types };
    await insertDeliveries(tx, deliveriesOf(deps, events, [receiver], now), 'replay', now);
    const last = events.length === most ? events.at(-1) : undefined;
    await moveReplay(tx, replay, last?.id ?? null);
    return true;
  });
}

/** In the order of the events, which is the order in which they are sent first. */
function deliveriesOf(
  deps: Pick<Deps, 'random'>,
  events: WaitingEvent[],
  receivers: Receiver[],
  now: Date,
): NewDelivery[] {
  return events.flatMap((event) =>
    receivers
      .filter(
        ({ appId, types }) => appId === event.appId && (types.length === 0 || types.includes(event.type)),
      )
      .map((receiver) => ({
        appId: event.appId,
        id: deps.random.ulid(now),
        endpointId: receiver.id,
        eventId: event.id,
        eventType: event.type,
      })),
  );
}
