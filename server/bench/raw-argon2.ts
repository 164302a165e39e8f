// The ceiling of sign-in: argon2id alone with the fast binding, as many at a time as there are cores. Each message asks
// for so many seconds of it and is answered with the verifications a second.
import { readdirSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';
import { verify } from '@node-rs/argon2';
import { password, passwordHash } from './database.js';

// As the service's hashing threads: whatever else the machine does then takes as much from one as from the other.
// Each thread by itself, because on Linux the pool's threads, which are there already, would not follow the first one.
if (process.platform === 'linux')
  for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), 10);
else setPriority(10);

process.on('message', async (seconds: number) => {
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1_000;
  let done = 0;
  let lastDoneAt = startedAt;
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      while (performance.now() < endAt) {
        if (!(await verify(passwordHash, password))) throw new Error('the password does not fit its hash');
        done += 1;
        lastDoneAt = performance.now();
      }
    }),
  );
  process.send?.(done / ((lastDoneAt - startedAt) / 1_000));
});
process.once('disconnect', () => process.exit());
process.send?.('ready');
