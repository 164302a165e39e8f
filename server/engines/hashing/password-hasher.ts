// argon2id in worker threads behind bounded, fair queues: hashing is the most expensive work that unauthenticated callers can
// request, and must not delay other requests. A full queue answers 503 before any work is done.
import { availableParallelism } from 'node:os';
import { limits } from '@foyer/contract';
import type { Random } from '../../src/lib/crypto/random.js';
import { networkOf } from '../../src/lib/ip-network.js';
import { type FairQueue, fairQueue, type Requester } from './fair-queue.js';
import { bcryptRounds, hashedForm, isBcrypt, normalisedPassword } from './hash-forms.js';
import { type HashJob, hashingUnavailable, hashThreads } from './hash-threads.js';

/** The party that a password is hashed for: a client by IP address, or a backend by its secret key. */
export type HashCaller =
  | { appId: string; ip: string | null; hasFailures?: boolean }
  | { appId: string; backend: true };

export type PasswordHasher = {
  /** Returns a PHC string with the current parameters. */
  hash(normalised: string, caller: HashCaller): Promise<string>;
  /**
   * Supports argon2id, and bcrypt for accounts imported from v1. A mismatch costs at least as much as an unknown email.
   */
  verify(hash: string, typed: string, caller: HashCaller): Promise<boolean>;
  /** A hash of no password: verifying against it costs the same for an email without an account. */
  readonly decoyHash: string;
  /** True if the hash has outdated parameters. */
  isOutdated(hash: string): boolean;
  /** Completed hashes and verifications since the start. */
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
  /** Jobs that may wait in addition to the running ones; about two seconds' work. */
  maxWaiting?: number;
  /** The same for bcrypt jobs, counted in rounds: one of them may take as long as a hundred others. */
  maxRoundsWaiting?: number;
  /** False lets one network fill the whole share of its app, as load tests need. */
  networkShares?: boolean;
  /** `argon2` forces the portable binding. */
  binding?: 'argon2';
};

export function passwordHasher(random: Random, options: HasherOptions = {}): PasswordHasher {
  const parameters = options.parameters ?? argon2Parameters;
  const count = options.threads ?? availableParallelism();
  const queues = jobQueues(count, options);
  const threads = hashThreads(count, { parameters, binding: options.binding }, queues.next);

  function run<Result extends string | boolean>(
    queue: FairQueue<HashJob>,
    caller: HashCaller,
    message: HashJob['message'],
    cost?: number,
  ): Promise<Result> {
    return new Promise<string | boolean>((resolve, reject) => {
      if (threads.closed || !queue.push(requesterOf(caller), { message, resolve, reject }, cost)) {
        return reject(hashingUnavailable('the password queue is full'));
      }
      threads.wake();
    }) as Promise<Result>;
  }

  function hash(password: string, caller: HashCaller): Promise<string> {
    return run(queues.quick, caller, { password, slow: false });
  }

  const { memoryCost, timeCost, parallelism } = parameters;
  const form = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`;
  // A random digest: no password has it, and to verify one costs as much as with any other.
  const decoyHash = `${form}${unpadded(random.bytes(16))}$${unpadded(random.bytes(32))}`;

  function verify(stored: string, typed: string, caller: HashCaller): Promise<boolean> {
    const password = hashedForm(stored, typed);
    if (!isBcrypt(stored)) return run(queues.quick, caller, { password, hash: stored, slow: false });
    // bcrypt of a low cost is fast: a mismatch is verified against the decoy as well, so that timing does not reveal it.
    const decoy = { password: normalisedPassword(typed), hash: decoyHash };
    return run(queues.slow, caller, { password, hash: stored, slow: true, decoy }, bcryptRounds(stored));
  }

  const current = parametersOf(form);
  return {
    hash,
    verify,
    decoyHash,
    isOutdated: (stored) => parametersOf(stored) !== current,
    get done() {
      return threads.done;
    },
    get waiting() {
      return queues.quick.size + queues.slow.size;
    },
    async close() {
      const closing = threads.close();
      for (const job of [...queues.quick.clear(), ...queues.slow.clear()]) {
        job.reject(hashingUnavailable('the password queue is closed'));
      }
      await closing;
    },
  };
}

/** One queue for argon2id, and one for bcrypt, whose costs are rounds. */
function jobQueues(threads: number, options: HasherOptions) {
  // Guesses at accounts imported from v1 use at most half of the threads.
  const slowThreads = Math.ceil(threads / 2);
  // For each thread eight jobs of the highest cost, which several networks share, or the same work in cheaper ones.
  const { perNetwork, bcryptRoundsPerNetwork, costliestBcryptJobs } = limits.waitingPasswords;
  const costliest = 2 ** limits.importedBcryptCost.max;
  const maxRounds = options.maxRoundsWaiting ?? slowThreads * costliestBcryptJobs * costliest;
  const shareOf = (share: number) => ((options.networkShares ?? true) ? share : Number.POSITIVE_INFINITY);
  const maxPerNetwork = shareOf(perNetwork);
  const maxCost = options.maxWaiting ?? 64 * threads;
  const quick = fairQueue<HashJob>({ maxCost, maxPerNetwork });
  const maxCostPerNetwork = shareOf(bcryptRoundsPerNetwork);
  const slow = fairQueue<HashJob>({ maxCost: maxRounds, maxPerNetwork, maxCostPerNetwork });
  let ranSlowLast = false;

  /** Alternates between the two queues, so that a single thread serves both. */
  function next(others: HashJob[], most: number): HashJob | undefined {
    const slowOthers = others.filter(({ message }) => message.slow).length;
    // A job of bcrypt may take seconds: one of argon2id does not wait for it.
    if (others.length >= most) return slowOthers === others.length ? quick.shift() : undefined;
    const takeSlow = slow.size > 0 && slowOthers < slowThreads && !(ranSlowLast && quick.size > 0);
    ranSlowLast = takeSlow;
    return takeSlow ? slow.shift() : quick.shift();
  }

  return { quick, slow, next };
}

function requesterOf(caller: HashCaller): Requester {
  const { appId } = caller;
  if ('backend' in caller) return { appId, network: null, hasFailures: false };
  return { appId, network: networkOf(caller.ip), hasFailures: caller.hasFailures ?? false };
}

/** The base64 of PHC strings. */
function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

/** The parameters of a PHC string, sorted, since the two bindings write them in different orders. */
function parametersOf(hash: string): string {
  const [, algorithm, version, parameters = ''] = hash.split('$');
  return [algorithm, version, ...parameters.split(',').sort()].join(' ');
}
