// How long a stop waits for running work of the background. What is interrupted is repeated: by another instance once its claim
// has expired, or after the next start.

const stopMilliseconds = 10_000;

/** Resolves once the work has ended, or after ten seconds. */
export async function waitToStop(ended: Promise<unknown> | null): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, stopMilliseconds).unref());
  await Promise.race([ended, late]);
}
