// Writes receipts in batches: one statement at a time, with all receipts that arrived during the previous one.
import type { Deps } from '../../deps.js';
import { type MessageIds, type NewReceipt, writeReceipts } from './store.js';

/** The returned function resolves when its receipt is committed. */
export function receiptWriter(
  deps: Pick<Deps, 'prisma' | 'clock'>,
  ids: MessageIds,
): (receipt: NewReceipt) => Promise<void> {
  let waiting: NewReceipt[] = [];
  let writing: Promise<void> | null = null;

  async function writeWaiting(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const receipts = waiting;
        waiting = [];
        await writeReceipts(deps.prisma, ids, receipts, deps.clock.now());
      }
    } finally {
      writing = null;
    }
  }

  return (receipt) => {
    waiting.push(receipt);
    writing ??= writeWaiting();
    return writing;
  };
}
