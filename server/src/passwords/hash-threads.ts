// Worker threads that hash and verify passwords, one job at a time each. They start with the first jobs, because each takes
// some ten megabytes. The job of a thread that dies is refused.
import { performance } from 'node:perf_hooks';
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

// A core is left to the event loop while it is busy for this share of the time, so that a storm of sign-ins does not delay
// other requests. A lower priority of the threads would do the same, but give the cores to every other process, too.
const busyShare = 0.5;
const loopSampleMilliseconds = 50;

/** `nextJob` chooses the job of a free thread, given those that run and how many should run at most. */
export function hashThreads(
  count: number,
  workerData: object,
  nextJob: (running: HashJob[], most: number) => HashJob | undefined,
): HashThreads {
  const isLoopBusy = loopLoad();
  const idle: Worker[] = [];
  const running = new Map<Worker, HashJob | null>();
  let closed = false;
  let done = 0;

  function start(): Worker {
    const worker = new Worker(new URL('./hash-worker.js', import.meta.url), {
      workerData,
      // A thread does not inherit the options of the process: loaders, inspectors, coverage.
      execArgv: [],
    });
    worker.unref();
    running.set(worker, null);
    worker.on('message', (answer: Answer) => answered(worker, answer));
    worker.on('error', (error) => lost(worker, error));
    worker.on('exit', () => lost(worker, new Error('a hashing thread ended')));
    return worker;
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
    wake();
  }

  function wake(): void {
    const most = isLoopBusy() ? Math.max(1, count - 1) : count;
    for (;;) {
      const jobs = [...running.values()].filter((each) => each !== null);
      const job = jobs.length < count && !closed ? nextJob(jobs, most) : undefined;
      if (!job) return;
      try {
        const worker = idle.pop() ?? start();
        running.set(worker, job);
        worker.postMessage(job.message);
      } catch (error) {
        // The system refuses another thread.
        job.reject(hashingUnavailable(error));
      }
    }
  }

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

/** Whether the event loop was busy lately. */
function loopLoad(): () => boolean {
  let last = performance.eventLoopUtilization();
  let busy = false;
  return () => {
    const current = performance.eventLoopUtilization();
    const { active, idle, utilization } = performance.eventLoopUtilization(current, last);
    if (active + idle >= loopSampleMilliseconds) {
      busy = utilization > busyShare;
      last = current;
    }
    return busy;
  };
}

const retryAfterSeconds = 2;

export function hashingUnavailable(cause: unknown): ApiError {
  return new ApiError('request/unavailable', { retryAfterSeconds, cause });
}
