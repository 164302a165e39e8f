// argon2id in threads of its own behind a bounded queue: hashing is the one slow thing that anybody may ask for, and
// nothing else waits where it waits. A full queue answers 503 before any work is done.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { ApiError } from '../lib/api-error.js';
import type { Random } from '../lib/random.js';

export type PasswordHasher = {
  /** A PHC string of the current parameters. */
  hash(normalised: string): Promise<string>;
  verify(hash: string, normalised: string): Promise<boolean>;
  /** A hash of no password: verifying against it is the work for an email without an account. */
  readonly decoyHash: string;
  /** True for a hash of other than the current parameters. */
  isOutdated(hash: string): boolean;
  /** Hashes and verifications done since the start. */
  readonly done: number;
  readonly waiting: number;
  close(): Promise<void>;
};

export type Argon2Parameters = { memoryCost: number; timeCost: number; parallelism: number };

/** OWASP's recommendation for argon2id: 19 MiB, two passes, one lane. */
export const argon2Parameters: Argon2Parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export type HasherOptions = {
  parameters?: Argon2Parameters;
  threads?: number;
  /** Jobs that may wait beside those that run; about two seconds' work. */
  mostWaiting?: number;
  /** `argon2` forces the portable binding. */
  binding?: 'argon2';
};

type Job = {
  message: { password: string; hash?: string };
  resolve(value: string | boolean): void;
  reject(error: unknown): void;
};

const retryAfterSeconds = 2;

export async function passwordHasher(random: Random, options: HasherOptions = {}): Promise<PasswordHasher> {
  const parameters = options.parameters ?? argon2Parameters;
  const threads = options.threads ?? availableParallelism();
  const mostWaiting = options.mostWaiting ?? 64 * threads;
  const { memoryCost, timeCost, parallelism } = parameters;
  const current = parametersOf(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
  const queue: Job[] = [];
  const idle: Worker[] = [];
  const running = new Map<Worker, Job | null>();
  let closing = false;
  let done = 0;

  function startThread(): void {
    const worker = new Worker(new URL('./hash-worker.js', import.meta.url), {
      workerData: { parameters, binding: options.binding },
      // A thread takes no part in what the process was started with: loaders, inspectors, coverage.
      execArgv: [],
    });
    worker.unref();
    running.set(worker, null);
    idle.push(worker);
    worker.on('message', (answer: { value: string | boolean } | { error: string }) => {
      const job = running.get(worker);
      running.set(worker, null);
      idle.push(worker);
      done += 1;
      if (job && 'value' in answer) job.resolve(answer.value);
      else job?.reject(new Error('error' in answer ? answer.error : 'a hash came back without a job'));
      next();
    });
    worker.on('error', (error) => lost(worker, error));
    worker.on('exit', () => lost(worker, new Error('a hashing thread ended')));
  }

  function lost(worker: Worker, cause: unknown): void {
    if (!running.has(worker)) return;
    running.get(worker)?.reject(new ApiError('request/unavailable', { retryAfterSeconds, cause }));
    running.delete(worker);
    const place = idle.indexOf(worker);
    if (place >= 0) idle.splice(place, 1);
    if (!closing) startThread();
    next();
  }

  function next(): void {
    while (idle.length > 0 && queue.length > 0) {
      const worker = idle.pop() as Worker;
      const job = queue.shift() as Job;
      running.set(worker, job);
      worker.postMessage(job.message);
    }
  }

  function run(message: Job['message']): Promise<string | boolean> {
    if (closing || queue.length >= mostWaiting) {
      return Promise.reject(
        new ApiError('request/unavailable', { retryAfterSeconds, cause: 'the password queue is full' }),
      );
    }
    return new Promise((resolve, reject) => {
      queue.push({ message, resolve, reject });
      next();
    });
  }

  for (let started = 0; started < threads; started += 1) startThread();
  const decoyHash = (await run({ password: random.bytes(32).toString('base64') })) as string;

  return {
    hash: (password) => run({ password }) as Promise<string>,
    verify: (hash, password) => run({ password, hash }) as Promise<boolean>,
    decoyHash,
    isOutdated: (hash) => parametersOf(hash) !== current,
    get done() {
      return done;
    },
    get waiting() {
      return queue.length;
    },
    async close() {
      closing = true;
      for (const job of queue.splice(0))
        job.reject(new ApiError('request/unavailable', { retryAfterSeconds }));
      await Promise.all([...running.keys()].map((worker) => worker.terminate()));
    },
  };
}

/** What a PHC string says of how it was made. The two bindings write the parameters in different orders. */
function parametersOf(hash: string): string {
  const [, algorithm, version, parameters = ''] = hash.split('$');
  return [algorithm, version, ...parameters.split(',').sort()].join(' ');
}
