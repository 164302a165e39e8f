// Writes receipts in batches: one statement at a time, with all receipts that arrived during the previous one.
import type { Deps } from '../../deps.js';
import { singleFlight } from '../../lib/single-flight.js';
import { type MessageIds, type NewReceipt, writeReceipts } from './store.js';

/** The returned function resolves when its receipt is committed. */
export function receiptWriter(
  deps: Pick<Deps, 'prisma' | 'clock'>,
  ids: MessageIds,
): (receipt: NewReceipt) => Promise<void> {
  let waiting: NewReceipt[] = [];
  const writing = singleFlight(
    async () => {
      const receipts = waiting;
      waiting = [];
      await writeReceipts(deps.prisma, ids, receipts, deps.clock.now());
    },
    () => waiting.length > 0,
  );

  return (receipt) => {
    waiting.push(receipt);
    return writing.run();
  };
}
