// Runs steps periodically, one after another, so that they do not compete for database connections: in each instance, or
// once for all instances. A step that fails is retried a minute later and does not delay the others.
import type { PrismaClient } from '@foyer/prisma';
import type { Clock } from '../../src/lib/clock.js';
import type { Logger } from '../../src/lib/logger.js';
import { singleFlight } from '../../src/lib/single-flight.js';
import { waitToStop } from '../../src/lib/wait-to-stop.js';
import { claimJob, setJobDue } from './store.js';

/** May return the milliseconds until it is to run again, instead of its period. */
export type Step = () => Promise<number | null> | Promise<void>;

export type PeriodicSteps = ReturnType<typeof periodic>;

type StepDeps = { prisma: PrismaClient; clock: Clock; logger: Logger };

const retryMilliseconds = 60_000;
/** After one period, but within these bounds, the owner of a step counts as dead, and another instance runs the step. */
const ownerMilliseconds = { min: 60_000, max: 10 * 60_000 };
const clockMilliseconds = 60 * 60_000;

/** Each instance runs the steps. */
export function stepsOfEach(
  deps: Omit<StepDeps, 'prisma'>,
  everyMilliseconds: number,
  steps: Record<string, Step>,
): PeriodicSteps {
  return periodic(deps, steps, async (_name, step, now) => {
    await step();
    return now + everyMilliseconds;
  });
}

/** One instance runs each step in a period; the names are those of `scheduled_jobs`. */
export function stepsOfOne(
  deps: StepDeps,
  everyMilliseconds: number,
  steps: Record<string, Step>,
): PeriodicSteps {
  return periodic(deps, steps, async (name, step, now) => {
    const { min, max } = ownerMilliseconds;
    const next = now + everyMilliseconds;
    const until = new Date(now + Math.max(min, Math.min(everyMilliseconds, max)));
    const latest = new Date(next + clockMilliseconds);
    const { isOwner, dueAt } = await claimJob(deps.prisma, { name, now: new Date(now), until, latest });
    // The owner may set an earlier time than `until` when its step ends.
    if (!isOwner) return Math.min(dueAt?.getTime() ?? now, next);
    const following = now + (await runOnce(deps, name, step, everyMilliseconds));
    // The claim has set this time already.
    if (following !== until.getTime()) await setJobDue(deps.prisma, { name, until }, new Date(following));
    return following;
  });
}

/** `runStep` returns when it is to be called again. */
function periodic(
  deps: Pick<StepDeps, 'clock' | 'logger'>,
  steps: Record<string, Step>,
  runStep: (name: string, step: Step, now: number) => Promise<number>,
) {
  const known = new Map<string, { askedAt: number; dueAt: number }>();
  let stopping = false;

  async function runDue(): Promise<void> {
    for (const [name, step] of Object.entries(steps)) {
      const askedAt = deps.clock.now().getTime();
      if (stopping || !isDue(name, askedAt)) continue;
      try {
        known.set(name, { askedAt, dueAt: await runStep(name, step, askedAt) });
      } catch (error) {
        logFailure(deps, name, error);
        known.set(name, { askedAt, dueAt: askedAt + retryMilliseconds });
      }
    }
  }

  /** A step is also due when the clock has stepped back, since its time is then unknown. */
  function isDue(name: string, now: number): boolean {
    const last = known.get(name);
    return !last || now < last.askedAt || now >= last.dueAt;
  }

  const due = singleFlight(runDue);
  return {
    /** Runs the steps that are due; concurrent calls share the work. */
    run: due.run,
    /** Waits for the step that is running, up to a limit; the next start runs the others. */
    async stop() {
      stopping = true;
      await waitToStop(due.running);
    },
  };
}

/** Returns when the step is to run again. Logs a failure here, so that a failure to record it does not replace it. */
async function runOnce(
  deps: Pick<StepDeps, 'logger'>,
  name: string,
  step: Step,
  everyMilliseconds: number,
): Promise<number> {
  try {
    const again = await step();
    // The other values are not only null or undefined: the queue's maintenance returns an object, although its type
    // says void.
    return typeof again === 'number' ? again : everyMilliseconds;
  } catch (error) {
    logFailure(deps, name, error);
    return retryMilliseconds;
  }
}

function logFailure({ logger }: Pick<StepDeps, 'logger'>, name: string, error: unknown): void {
  logger.error({ err: error, step: name }, 'background work failed');
}
