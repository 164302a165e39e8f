// Waits until the service can serve again, for a limited time.
import { setTimeout as sleep } from 'node:timers/promises';

const maxMilliseconds = 120_000;

/** Waits until `/readyz`, which asks the database, answers 200. */
export async function untilServing(
  url: string,
  { fetch: ask = fetch, now = () => performance.now() } = {},
): Promise<void> {
  const giveUpAt = now() + maxMilliseconds;
  for (;;) {
    const answer = await ask(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(
      (error: Error) => error,
    );
    if (answer instanceof Response && answer.ok) return;
    if (now() >= giveUpAt) {
      const last =
        answer instanceof Response ? `answers ${answer.status}` : `gives no answer: ${answer.message}`;
      throw new Error(
        `not serving ${maxMilliseconds / 1_000} seconds after the fault ended: /readyz ${last}`,
      );
    }
    await sleep(20);
  }
}
