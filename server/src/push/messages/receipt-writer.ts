// Writes receipts as they come: one statement at a time, and in it all that came while the one before was under way.
import type { Deps } from '../../deps.js';
import { type NewReceipt, writeReceipts } from './store.js';

/** The returned function resolves once its receipt is in the database. */
export function receiptWriter(
  deps: Pick<Deps, 'prisma' | 'clock'>,
  ids: { appId: string; messageId: string },
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
