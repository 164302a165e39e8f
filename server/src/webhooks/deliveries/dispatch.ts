// Dispatches events to deliveries: one for each subscribed webhook, in the transaction that marks the event dispatched. Each
// event has its own mark, since events do not commit in the order of their ids.
import { limits } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import type { Deps } from '../../deps.js';
import {
  advanceReplay,
  findWork,
  insertDeliveries,
  listReceivers,
  listReplayEvents,
  lockPendingEvents,
  lockPendingEventsOf,
  lockReplay,
  markDispatched,
  type NewDelivery,
  type PendingEvent,
  type Receiver,
} from './store.js';

type DispatchDeps = Pick<Deps, 'prisma' | 'clock' | 'random'>;

const eventsPerBatch = 500;

/**
 * Writes the deliveries of the oldest pending events and of one batch of a replay of each app. True if there may be more:
 * new events go first.
 */
export async function dispatchEvents(deps: DispatchDeps): Promise<boolean> {
  const { events, lastEvent, moreEvents, replays } = await findWork(deps.prisma, deps.clock.now());
  let dispatched = 0;
  for (const appId of events) dispatched += await dispatchBatch(deps, appId, lastEvent ?? '');
  // If another instance has them all, it goes on to the later ones.
  let more = moreEvents && dispatched > 0;
  for (const appId of replays) more = (await dispatchReplayBatch(deps, appId)) || more;
  return more;
}

function dispatchBatch(deps: DispatchDeps, appId: string, lastEvent: string): Promise<number> {
  return deps.prisma.$transaction(async (tx) => {
    const events = await lockPendingEvents(tx, appId, lastEvent);
    await dispatchIn(tx, deps, appId, events);
    return events.length;
  });
}

/** Call it in the transaction that changes a webhook, before the change: earlier events go to the webhooks as they were. */
export async function dispatchEventsOf(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random'>,
  appId: string,
): Promise<void> {
  for (;;) {
    const events = await lockPendingEventsOf(tx, appId, eventsPerBatch);
    await dispatchIn(tx, deps, appId, events);
    if (events.length < eventsPerBatch) return;
  }
}

async function dispatchIn(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random'>,
  appId: string,
  events: PendingEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const receivers = await listReceivers(tx, appId);
  const now = deps.clock.now();
  await insertDeliveries(tx, appId, deliveriesOf(deps, events, receivers, now), 'event', now);
  await markDispatched(
    tx,
    appId,
    events.map(({ id }) => id),
  );
}

/** The next batch of the app's oldest replay below its limit of pending deliveries; false if there is none. */
function dispatchReplayBatch(deps: DispatchDeps, appId: string): Promise<boolean> {
  return deps.prisma.$transaction(async (tx) => {
    const replay = await lockReplay(tx, appId, limits.webhookReplayPending);
    if (!replay) return false;
    const { endpointId, types, pending } = replay;
    const limit = Math.min(eventsPerBatch, limits.webhookReplayPending - pending);
    const events = await listReplayEvents(tx, replay, limit);
    const now = deps.clock.now();
    const deliveries = deliveriesOf(deps, events, [{ id: endpointId, types }], now);
    await insertDeliveries(tx, appId, deliveries, 'replay', now);
    const last = events.length === limit ? events.at(-1) : undefined;
    await advanceReplay(tx, replay, last?.id ?? null);
    return true;
  });
}

/** In the order of the events, which is the order of the first attempts. */
function deliveriesOf(
  deps: Pick<Deps, 'random'>,
  events: PendingEvent[],
  receivers: Receiver[],
  now: Date,
): NewDelivery[] {
  return events.flatMap((event) =>
    receivers
      .filter(({ types }) => types.length === 0 || types.includes(event.type))
      .map((receiver) => ({
        id: deps.random.ulid(now),
        endpointId: receiver.id,
        eventId: event.id,
        eventType: event.type,
      })),
  );
}
