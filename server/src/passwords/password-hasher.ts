// argon2id in worker threads behind bounded, fair queues: hashing is the most expensive work that unauthenticated callers can
// request, and must not delay other requests. A full queue answers 503 before any work is done.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { limits } from '@foyer/contract';
import type { HashCaller, PasswordHasher } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import type { Random } from '../lib/crypto/random.js';
import { networkOf } from '../lib/http/ip-network.js';
import { type FairQueue, fairQueue, type Requester } from './fair-queue.js';
import { bcryptRounds, hashedForm, isBcrypt, normalisedPassword } from './password-rules.js';
export type Argon2Parameters = { memoryCost: number; timeCost: number; parallelism: number };

/** OWASP's recommendation for argon2id: 19 MiB, two passes, one lane. */
export const argon2Parameters: Argon2Parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export type HasherOptions = {
  parameters?: Argon2Parameters;
  threads?: number;
  /** Jobs that may wait in addition to the running ones; about two seconds' work. */
  maxWaiting?: number;
  /** The same for those of bcrypt, of which one may take as long as a hundred others: in rounds, not in jobs. */
  maxRoundsWaiting?: number;
  /** False lets one network fill the whole share of its app, as load tests need. */
  networkShares?: boolean;
  /** `argon2` forces the portable binding. */
  binding?: 'argon2';
};

type Job = {
  message: { password: string; hash?: string; slow: boolean; decoy?: { password: string; hash: string } };
  resolve(value: string | boolean): void;
  reject(error: unknown): void;
};

const retryAfterSeconds = 2;

export async function passwordHasher(random: Random, options: HasherOptions = {}): Promise<PasswordHasher> {
  const parameters = options.parameters ?? argon2Parameters;
  const threads = options.threads ?? availableParallelism();
  const maxWaiting = options.maxWaiting ?? 64 * threads;
  // Guesses at accounts imported from v1 use at most half of the threads.
  const slowThreads = Math.ceil(threads / 2);
  // One of the highest cost a thread, or the same work in more of lower ones.
  const maxRoundsWaiting = options.maxRoundsWaiting ?? slowThreads * 2 ** limits.importedBcryptCost.max;
  const { memoryCost, timeCost, parallelism } = parameters;
  const current = parametersOf(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
  const shareOf = (jobs: number) => ((options.networkShares ?? true) ? jobs : Number.POSITIVE_INFINITY);
  const { perNetwork, bcryptPerNetwork } = limits.waitingPasswords;
  const quick = fairQueue<Job>({ maxCost: maxWaiting, maxPerNetwork: shareOf(perNetwork) });
  /** Of bcrypt; its costs are rounds. */
  const slow = fairQueue<Job>({ maxCost: maxRoundsWaiting, maxPerNetwork: shareOf(bcryptPerNetwork) });
  let ranSlowLast = false;
  const idle: Worker[] = [];
  const running = new Map<Worker, Job | null>();
  let closing = false;
  let done = 0;

  function startThread(): void {
    const worker = new Worker(new URL('./hash-worker.js', import.meta.url), {
      workerData: { parameters, binding: options.binding },
      // A thread does not inherit the options of the process: loaders, inspectors, coverage.
      execArgv: [],
    });
    worker.unref();
    running.set(worker, null);
    idle.push(worker);
    worker.on('message', (answer: ({ value: string | boolean } | { error: string }) & { done: number }) => {
      const job = running.get(worker);
      running.set(worker, null);
      idle.push(worker);
      done += answer.done;
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
      const job = nextJob();
      if (!job) return;
      const worker = idle.pop() as Worker;
      running.set(worker, job);
      worker.postMessage(job.message);
    }
  }

  /** Alternates between the two queues, so that a single thread serves both. */
  function nextJob(): Job | undefined {
    const slowRunning = [...running.values()].filter((job) => job?.message.slow).length;
    const takeSlow = slow.size > 0 && slowRunning < slowThreads && !(ranSlowLast && quick.size > 0);
    ranSlowLast = takeSlow;
    return takeSlow ? slow.shift() : quick.shift();
  }

  function run(
    queue: FairQueue<Job>,
    caller: HashCaller,
    message: Job['message'],
    cost?: number,
  ): Promise<string | boolean> {
    return new Promise((resolve, reject) => {
      if (closing || !queue.push(requesterOf(caller), { message, resolve, reject }, cost)) {
        return reject(refusal('the password queue is full'));
      }
      next();
    });
  }

  function verify(hash: string, typed: string, caller: HashCaller): Promise<string | boolean> {
    const password = hashedForm(hash, typed);
    if (!isBcrypt(hash)) return run(quick, caller, { password, hash, slow: false });
    // bcrypt of a low cost is fast: a mismatch is verified against the decoy as well, so that timing does not reveal it.
    const decoy = { password: normalisedPassword(typed), hash: decoyHash };
    return run(slow, caller, { password, hash, slow: true, decoy }, bcryptRounds(hash));
  }

  for (let started = 0; started < threads; started += 1) startThread();
  const atStart: HashCaller = { appId: '', backend: true };
  const hash = (password: string, caller: HashCaller) =>
    run(quick, caller, { password, slow: false }) as Promise<string>;
  const decoyHash = await hash(random.bytes(32).toString('base64'), atStart);

  return {
    hash,
    verify: (stored, typed, caller) => verify(stored, typed, caller) as Promise<boolean>,
    decoyHash,
    isOutdated: (hash) => parametersOf(hash) !== current,
    get done() {
      return done;
    },
    get waiting() {
      return quick.size + slow.size;
    },
    async close() {
      closing = true;
      for (const job of [...quick.clear(), ...slow.clear()]) {
        job.reject(refusal('the password queue is closed'));
      }
      await Promise.all([...running.keys()].map((worker) => worker.terminate()));
    },
  };
}

function requesterOf(caller: HashCaller): Requester {
  const { appId } = caller;
  if ('backend' in caller) return { appId, network: null, hasFailures: false };
  return { appId, network: networkOf(caller.ipAddress), hasFailures: caller.hasFailures ?? false };
}

function refusal(cause: unknown): ApiError {
  return new ApiError('request/unavailable', { retryAfterSeconds, cause });
}

/** The parameters of a PHC string, sorted, since the two bindings write them in different orders. */
function parametersOf(hash: string): string {
  const [, algorithm, version, parameters = ''] = hash.split('$');
  return [algorithm, version, ...parameters.split(',').sort()].join(' ');
}
