// Returns memory to the system while the process is idle. V8 gives up the 32 MB of a grown young generation only in a full
// collection that follows seconds of few allocations, and an idle process makes no full collection.
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const everyMilliseconds = 6_000;
/** The part of an interval that the event loop was busy, up to which the process counts as idle. */
const idleUtilization = 0.05;
/** The first finds what was in use before; only the second follows an interval without it. */
const collectionsPerPause = 2;

type Process = { collect(): void; utilization(since?: EventLoopUtilization): EventLoopUtilization };

/** Collects twice after a start and after each time of work, for 40 ms each. Returns a function that ends it. */
export function returnIdleMemory({ collect, utilization }: Process = thisProcess()): () => void {
  let collections = collectionsPerPause;
  let before = utilization();
  const timer = setInterval(() => {
    if (utilization(before).utilization > idleUtilization) collections = collectionsPerPause;
    else if (collections > 0) {
      collections -= 1;
      collect();
    }
    // Measured after the collection, which is no work of the service.
    before = utilization();
  }, everyMilliseconds).unref();
  return () => clearInterval(timer);
}

function thisProcess(): Process {
  // Node has no other way to collect without a flag of its command line.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return { collect, utilization: (since) => performance.eventLoopUtilization(since) };
}
