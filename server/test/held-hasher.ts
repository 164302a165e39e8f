// Password hashers for tests: one whose jobs are held and released manually, and one called without a caller.
import type { Worker } from 'node:worker_threads';
import type { HashCaller, PasswordHasher } from '../engines/hashing/index.js';
import type { HasherOptions } from '../engines/hashing/password-hasher.js';
import { cheapPasswordHasher } from './harness.js';

export type HeldHasher = Awaited<ReturnType<typeof heldHasher>>;

/** However fast or slow the machine is, nothing is hashed between `hold` and `release`. */
export async function heldHasher(options: HasherOptions & { threads: number }) {
  let open = Promise.resolve();
  let release = () => {};
  const started = (worker: Worker) => {
    const post = worker.postMessage.bind(worker);
    worker.postMessage = (message) => void open.then(() => post(message));
  };
  process.on('worker', started);
  const hasher = cheapPasswordHasher(options);
  // Threads start with the first jobs.
  const jobs = Array.from({ length: options.threads }, () => hasher.hash('', { appId: '', backend: true }));
  await Promise.all(jobs);
  process.off('worker', started);
  return {
    hasher,
    /** From now on no job begins; running ones are held too. */
    hold() {
      open = new Promise((resolve) => {
        release = resolve;
      });
    },
    /** Starts the held jobs and all later ones. */
    release: () => release(),
  };
}

/** The same hasher, called for an app's backend unless a test names a caller. */
export function forBackend(hasher: PasswordHasher) {
  const backend: HashCaller = { appId: 'app', backend: true };
  type Called = Omit<PasswordHasher, 'hash' | 'verify'> & {
    hash(normalised: string, caller?: HashCaller): Promise<string>;
    verify(hash: string, typed: string, caller?: HashCaller): Promise<boolean>;
  };
  const called: Pick<Called, 'hash' | 'verify'> = {
    hash: (normalised, caller = backend) => hasher.hash(normalised, caller),
    verify: (hash, typed, caller = backend) => hasher.verify(hash, typed, caller),
  };
  // The prototype preserves the getters: `done` and `waiting` change.
  return Object.assign(Object.create(hasher), called) as Called;
}
