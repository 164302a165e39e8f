import { closeSync, openSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { jsonLogger, logDestination } from './logger.js';

test.runIf(process.platform === 'linux')('a full disk under the log does not end the process', async () => {
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  const destination = logDestination(full);
  const emit = vi.spyOn(destination, 'emit');
  const failures = () => emit.mock.calls.filter(([event]) => event === 'error').length;
  const logger = jsonLogger('info', destination);
  // Without a listener each would be an uncaught exception, which fails the run.
  for (let entries = 0; entries < 3; entries += 1) {
    const before = failures();
    logger.info('request');
    await expect.poll(failures).toBeGreaterThan(before);
  }
});
