// Waits for what happens soon: a busy machine may take seconds where an idle one takes none.

/** Real also where a test fakes timers, which `vi.waitUntil` would move ahead. */
const { setTimeout } = globalThis;
const pollMilliseconds = 5;
const maxPolls = 30_000 / pollMilliseconds;

export async function until(isSo: () => unknown): Promise<void> {
  for (let polls = 0; !isSo(); polls += 1) {
    if (polls === maxPolls) throw new Error(`still not so after half a minute: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
  }
}
