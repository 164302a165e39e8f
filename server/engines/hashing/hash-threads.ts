// Worker threads that hash and verify passwords, one job at a time each. They start with the first jobs, because each takes
// some ten megabytes. A thread has its next job before it has done the first, so that it does not wait for the event loop
// between the two. The job of a thread that dies is refused, and its next one is done by another.
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { ApiError } from '../../src/lib/api-error.js';

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
// other requests. A lower priority of the threads would do the same, but give the cores to every other process, too. The share
// includes the time in which the loop waits for a core: sign-ins without other requests make it 0.6.
const busyShare = 0.8;
const loopSampleMilliseconds = 50;

/** The job that runs, and the one that follows. */
type Thread = { worker: Worker; jobs: HashJob[] };

/** `nextJob` chooses the job of a free thread, given those of the other threads and how many should run at most. */
export function hashThreads(
  count: number,
  workerData: object,
  nextJob: (others: HashJob[], most: number) => HashJob | undefined,
): HashThreads {
  const isLoopBusy = loopLoad();
  const threads = new Set<Thread>();
  /** Jobs of threads that died before they began. */
  const returned: HashJob[] = [];
  let closed = false;
  let done = 0;

  function start(): Thread {
    const worker = new Worker(new URL('./hash-worker.js', import.meta.url), {
      workerData,
      // A thread does not inherit the options of the process: loaders, inspectors, coverage.
      execArgv: [],
    });
    const thread: Thread = { worker, jobs: [] };
    worker.unref();
    threads.add(thread);
    worker.on('message', (answer: Answer) => answered(thread, answer));
    worker.on('error', (error) => lost(thread, error));
    worker.on('exit', () => lost(thread, new Error('a hashing thread ended')));
    return thread;
  }

  function answered(thread: Thread, answer: Answer): void {
    const job = thread.jobs.shift();
    done += answer.done;
    if (job && 'value' in answer) job.resolve(answer.value);
    else job?.reject(new Error('error' in answer ? answer.error : 'a hash came back without a job'));
    wake();
  }

  function lost(thread: Thread, cause: unknown): void {
    if (!threads.delete(thread)) return;
    const [job, next] = thread.jobs;
    job?.reject(hashingUnavailable(cause));
    if (closed) next?.reject(hashingUnavailable(cause));
    else if (next) returned.push(next);
    wake();
  }

  function wake(): void {
    if (closed) return;
    const most = isLoopBusy() ? Math.max(1, count - 1) : count;
    while (giveOne(most));
  }

  /** Gives the next job to a thread without one, or else to one that has none to follow. */
  function giveOne(most: number): boolean {
    const working = [...threads].filter(({ jobs }) => jobs.length > 0);
    if (working.length < count) {
      const job = returned.shift() ?? nextJob(lastOf(working), most);
      if (job) return give(job);
    }
    return working.some((thread) => {
      const [current, next] = thread.jobs;
      // Nothing waits behind bcrypt, which may take seconds.
      if (next || current?.message.slow) return false;
      const job = nextJob(lastOf(working.filter((other) => other !== thread)), most);
      return job !== undefined && give(job, thread);
    });
  }

  function give(job: HashJob, to?: Thread): true {
    try {
      const thread = to ?? [...threads].find(({ jobs }) => jobs.length === 0) ?? start();
      thread.jobs.push(job);
      thread.worker.postMessage(job.message);
    } catch (error) {
      // The system refuses another thread.
      job.reject(hashingUnavailable(error));
    }
    return true;
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
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}

const lastOf = (threads: Thread[]) => threads.flatMap(({ jobs }) => jobs.slice(-1));

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
