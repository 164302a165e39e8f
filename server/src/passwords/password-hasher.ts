// argon2id in threads of its own behind a bounded queue: hashing is the one slow thing that anybody may ask for, and
// nothing else waits where it waits. A full queue answers 503 before any work is done.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { limits } from '@foyer/contract';
import { ApiError } from '../lib/api-error.js';
import type { Random } from '../lib/random.js';
import { bcryptRounds, hashedForm, isBcrypt, normalisedPassword } from './password-rules.js';

export type PasswordHasher = {
  /** A PHC string of the current parameters. */
  hash(normalised: string): Promise<string>;
  /**
   * Of argon2id, or of bcrypt where the account was brought over from v1. Whatever does not fit costs the work for an
   * email without an account at least.
   */
  verify(hash: string, typed: string): Promise<boolean>;
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
  /** The same for those of bcrypt, of which one may take as long as a hundred others: in rounds, not in jobs. */
  mostRoundsWaiting?: number;
  /** `argon2` forces the portable binding. */
  binding?: 'argon2';
};

type Job = {
  message: { password: string; hash?: string; slow: boolean };
  /** Of bcrypt; 0 for argon2id. */
  rounds: number;
  resolve(value: string | boolean): void;
  reject(error: unknown): void;
};

const retryAfterSeconds = 2;

export async function passwordHasher(random: Random, options: HasherOptions = {}): Promise<PasswordHasher> {
  const parameters = options.parameters ?? argon2Parameters;
  const threads = options.threads ?? availableParallelism();
  const mostWaiting = options.mostWaiting ?? 64 * threads;
  // Whoever guesses at accounts that were brought over from v1 keeps half the threads busy at most.
  const slowThreads = Math.ceil(threads / 2);
  // One of the highest cost a thread, or the same work in more of lower ones.
  const mostRoundsWaiting = options.mostRoundsWaiting ?? slowThreads * 2 ** limits.importedBcryptCost.max;
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
    running.get(worker)?.reject(refusal(cause));
    running.delete(worker);
    const place = idle.indexOf(worker);
    if (place >= 0) idle.splice(place, 1);
    if (!closing) startThread();
    next();
  }

  function next(): void {
    while (idle.length > 0) {
      const [job] = queue.splice(firstToRun(), 1);
      if (!job) return;
      const worker = idle.pop() as Worker;
      running.set(worker, job);
      worker.postMessage(job.message);
    }
  }

  /** Its place in the queue, or beyond the end. */
  function firstToRun(): number {
    const slowRunning = [...running.values()].filter((job) => job?.message.slow).length;
    const place = queue.findIndex(({ message }) => !message.slow || slowRunning < slowThreads);
    return place < 0 ? queue.length : place;
  }

  function isFull(rounds: number): boolean {
    if (queue.length >= mostWaiting) return true;
    const waiting = queue.reduce((sum, job) => sum + job.rounds, 0);
    // A job alone is always taken, however much work it is.
    return rounds > 0 && waiting > 0 && waiting + rounds > mostRoundsWaiting;
  }

  function run(work: { password: string; hash?: string }): Promise<string | boolean> {
    const rounds = work.hash !== undefined && isBcrypt(work.hash) ? bcryptRounds(work.hash) : 0;
    if (closing || isFull(rounds)) return Promise.reject(refusal('the password queue is full'));
    return new Promise((resolve, reject) => {
      queue.push({ message: { ...work, slow: rounds > 0 }, rounds, resolve, reject });
      next();
    });
  }

  async function verify(hash: string, typed: string): Promise<boolean> {
    const fits = (await run({ password: hashedForm(hash, typed), hash })) as boolean;
    // bcrypt of a low cost is done in no time. There is room in the queue: what is done has just made it.
    if (!fits && isBcrypt(hash)) await run({ password: normalisedPassword(typed), hash: decoyHash });
    return fits;
  }

  for (let started = 0; started < threads; started += 1) startThread();
  const decoyHash = (await run({ password: random.bytes(32).toString('base64') })) as string;

  return {
    hash: (password) => run({ password }) as Promise<string>,
    verify,
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
      for (const job of queue.splice(0)) job.reject(refusal('the password queue is closed'));
      await Promise.all([...running.keys()].map((worker) => worker.terminate()));
    },
  };
}

function refusal(cause: unknown): ApiError {
  return new ApiError('request/unavailable', { retryAfterSeconds, cause });
}

/** What a PHC string says of how it was made. The two bindings write the parameters in different orders. */
function parametersOf(hash: string): string {
  const [, algorithm, version, parameters = ''] = hash.split('$');
  return [algorithm, version, ...parameters.split(',').sort()].join(' ');
}
