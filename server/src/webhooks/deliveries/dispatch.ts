// Dispatches events to deliveries: one for each subscribed webhook, in the transaction that marks the event dispatched. Each
// event has its own mark, since events do not commit in the order of their ids.
import { limits } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import type { Deps } from '../../deps.js';
import {
  advanceReplay,
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

/** Writes the deliveries of all pending events and of one batch of a replay. True if a replay may have more: new events go first. */
export async function dispatchEvents(deps: DispatchDeps): Promise<boolean> {
  while ((await dispatchBatch(deps)) === eventsPerBatch);
  return dispatchReplayBatch(deps);
}

function dispatchBatch(deps: DispatchDeps): Promise<number> {
  return deps.prisma.$transaction(async (tx) => {
    const events = await lockPendingEvents(tx, eventsPerBatch);
    await dispatchIn(tx, deps, events);
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
    await dispatchIn(tx, deps, events);
    if (events.length < eventsPerBatch) return;
  }
}

async function dispatchIn(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random'>,
  events: PendingEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const receivers = await listReceivers(tx, [...new Set(events.map(({ appId }) => appId))]);
  const now = deps.clock.now();
  await insertDeliveries(tx, deliveriesOf(deps, events, receivers, now), 'event', now);
  await markDispatched(tx, events);
}

/** The next batch of the oldest replay below its limit of pending deliveries; false if there is none. */
function dispatchReplayBatch(deps: DispatchDeps): Promise<boolean> {
  return deps.prisma.$transaction(async (tx) => {
    const replay = await lockReplay(tx, limits.webhookReplayPending);
    if (!replay) return false;
    const { appId, endpointId, types, pending } = replay;
    const limit = Math.min(eventsPerBatch, limits.webhookReplayPending - pending);
    const events = await listReplayEvents(tx, replay, limit);
    const now = deps.clock.now();
    const receiver = { appId, id: endpointId, types };
    await insertDeliveries(tx, deliveriesOf(deps, events, [receiver], now), 'replay', now);
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
