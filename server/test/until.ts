// Waits for what happens soon: a busy machine may take seconds where an idle one takes none.
import { vi } from 'vitest';

export function until(isSo: () => unknown): Promise<unknown> {
  return vi.waitUntil(isSo, { timeout: 30_000, interval: 5 });
}
