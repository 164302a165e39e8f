// The ceiling of sign-in: argon2id by itself with the fast binding, one per core at a time. Each message requests so
// many seconds of it and is answered with the verifications a second.
import { readdirSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';
import { verify } from '@node-rs/argon2';
import { password, passwordHash } from './database.js';

// The priority of the service's hashing threads, so that other load on the machine slows both equally. Set for each
// thread, because on Linux the existing threads of the pool would not inherit it from the first one.
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
