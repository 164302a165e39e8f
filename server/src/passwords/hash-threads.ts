// Worker threads that hash and verify passwords, one job at a time each. A thread that dies is replaced; its job is refused.
import { Worker } from 'node:worker_threads';
import { ApiError } from '../lib/api-error.js';

export type HashJob = {
  message: { password: string; hash?: string; slow: boolean; decoy?: { password: string; hash: string } };
  resolve(value: string | boolean): void;
  reject(error: unknown): void;
};

type Answer = ({ value: string | boolean } | { error: string }) & { done: number };

export type HashThreads = {
  /** Gives waiting jobs to free threads. */
  wake(): void;
  /** Hashes so far, those of decoys included. */
  readonly done: number;
  readonly closed: boolean;
  close(): Promise<void>;
};

/** `nextJob` chooses the job of a free thread, given those that run. */
export function hashThreads(
  count: number,
  workerData: object,
  nextJob: (running: HashJob[]) => HashJob | undefined,
): HashThreads {
  const idle: Worker[] = [];
  const running = new Map<Worker, HashJob | null>();
  let closed = false;
  let done = 0;

  function start(): void {
    const worker = new Worker(new URL('./hash-worker.js', import.meta.url), {
      workerData,
      // A thread does not inherit the options of the process: loaders, inspectors, coverage.
      execArgv: [],
    });
    worker.unref();
    running.set(worker, null);
    idle.push(worker);
    worker.on('message', (answer: Answer) => answered(worker, answer));
    worker.on('error', (error) => lost(worker, error));
    worker.on('exit', () => lost(worker, new Error('a hashing thread ended')));
  }

  function answered(worker: Worker, answer: Answer): void {
    const job = running.get(worker);
    running.set(worker, null);
    idle.push(worker);
    done += answer.done;
    if (job && 'value' in answer) job.resolve(answer.value);
    else job?.reject(new Error('error' in answer ? answer.error : 'a hash came back without a job'));
    wake();
  }

  function lost(worker: Worker, cause: unknown): void {
    if (!running.has(worker)) return;
    running.get(worker)?.reject(hashingUnavailable(cause));
    running.delete(worker);
    const place = idle.indexOf(worker);
    if (place >= 0) idle.splice(place, 1);
    if (!closed) start();
    wake();
  }

  function wake(): void {
    while (idle.length > 0) {
      const job = nextJob([...running.values()].filter((each) => each !== null));
      if (!job) return;
      const worker = idle.pop() as Worker;
      running.set(worker, job);
      worker.postMessage(job.message);
    }
  }

  for (let started = 0; started < count; started += 1) start();
  return {
    wake,
    get done() {
      return done;
    },
    get closed() {
      return closed;
    },
    async close() {
      closed = true;
      await Promise.all([...running.keys()].map((worker) => worker.terminate()));
    },
  };
}

const retryAfterSeconds = 2;

export function hashingUnavailable(cause: unknown): ApiError {
  return new ApiError('request/unavailable', { retryAfterSeconds, cause });
}
