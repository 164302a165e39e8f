// Dispatches events and audit entries to deliveries: one for each subscribed webhook, in the transaction that marks the event
// dispatched. Each event has its own mark, since events do not commit in the order of their ids.
import { everyAuditEvent, isAuditType, limits } from '@foyer/contract';
import type { Tx } from '@foyer/prisma';
import { transaction } from '../../change.js';
import type { Deps } from '../../deps.js';
import {
  advanceReplay,
  findWork,
  insertDeliveries,
  listReceivers,
  listReplayEvents,
  lockPending,
  lockPendingOf,
  lockReplay,
  markDispatched,
  type NewDelivery,
  type PendingEvent,
  type Receiver,
} from './store.js';

type DispatchDeps = Pick<Deps, 'prisma' | 'clock' | 'random'>;

const eventsPerBatch = 500;
/** New events wait for no more than this, however many apps replay. */
const replaysPerRound = 4;
/** A failing app must not delay the others; after this many failures the database counts as unavailable. */
const maxFailures = 3;

/**
 * A function that writes the deliveries of the oldest pending events, and of a batch of the replays of a few apps: in each
 * round those that follow the last of the previous one. True if there may be more: new events go first. Throws the first failure
 * at the end.
 */
export function eventDispatcher(deps: DispatchDeps): () => Promise<boolean> {
  let lastReplay = '';
  /** Apps in a row whose replays could not go on. */
  let blocked = 0;

  return async () => {
    const { events, lastEvent, moreEvents, replays } = await findWork(deps.prisma);
    const failures: unknown[] = [];
    let dispatched = 0;
    for (const appId of events) {
      try {
        dispatched += await dispatchBatch(deps, appId, lastEvent ?? '');
      } catch (error) {
        failures.push(error);
        if (failures.length === maxFailures) throw failures[0];
      }
    }
    // If another instance has them all, it goes on to the later ones.
    const more = moreEvents && dispatched > 0;
    for (const appId of nextOf(replays, lastReplay)) {
      lastReplay = appId;
      blocked = (await dispatchReplayBatch(deps, appId)) ? 0 : blocked + 1;
    }
    const isStuck = blocked >= replays.length;
    // The next poll tries all of them again.
    if (isStuck) blocked = 0;
    if (failures.length > 0) throw failures[0];
    return more || !isStuck;
  };
}

/** Returns the apps that follow `last`, in the order of their ids, and then the first ones again. */
function nextOf(appIds: string[], last: string): string[] {
  const sorted = appIds.toSorted();
  return [...sorted.filter((id) => id > last), ...sorted.filter((id) => id <= last)].slice(
    0,
    replaysPerRound,
  );
}

function dispatchBatch(deps: DispatchDeps, appId: string, lastEvent: string): Promise<number> {
  return transaction(deps, async (tx) => {
    const events = await lockPending(tx, appId, lastEvent);
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
    const events = await lockPendingOf(tx, appId, eventsPerBatch);
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
  await insertDeliveries(tx, appId, deliveriesOf(deps, events, receivers, now), { trigger: 'event', now });
  await markDispatched(tx, appId, events);
}

/** The next batch of the app's oldest replay below its limit of pending deliveries; false if there is none. */
function dispatchReplayBatch(deps: DispatchDeps, appId: string): Promise<boolean> {
  return transaction(deps, async (tx) => {
    const replay = await lockReplay(tx, appId, limits.webhookReplayPending);
    if (!replay) return false;
    const { endpointId, types, pending } = replay;
    const limit = Math.min(eventsPerBatch, limits.webhookReplayPending - pending);
    const events = await listReplayEvents(tx, replay, limit);
    const now = deps.clock.now();
    const deliveries = deliveriesOf(deps, events, [{ id: endpointId, types }], now);
    await insertDeliveries(tx, appId, deliveries, { trigger: 'replay', now });
    const last = events.length === limit ? events.at(-1) : undefined;
    await advanceReplay(tx, replay, last?.id ?? null);
    return true;
  });
}

/** Returns them in the order of the events, which is the order of the first attempts. */
function deliveriesOf(
  deps: Pick<Deps, 'random'>,
  events: PendingEvent[],
  receivers: Receiver[],
  now: Date,
): NewDelivery[] {
  return events.flatMap((event) =>
    receivers
      .filter(({ types }) => receives(types, event.type))
      .map((receiver) => ({
        id: deps.random.ulid(now),
        endpointId: receiver.id,
        eventId: event.id,
        eventType: event.type,
      })),
  );
}

/** No types are all but those of audit entries, which a webhook has to name. */
function receives(types: string[], type: string): boolean {
  if (types.includes(type)) return true;
  return isAuditType(type) ? types.includes(everyAuditEvent) : types.length === 0;
}
