// The order in which waiting jobs run, and which jobs may wait (API conventions, "Password queue"): a flood of calls
// must not delay other apps, networks or accounts. A pure data structure: it starts no work.

export type Requester = {
  appId: string;
  /** Null for an app's own backend, to which no share of a network applies. */
  network: string | null;
  /** Failed attempts are counted against the account that the job is for. */
  hasFailures: boolean;
};

export type FairQueueLimits = {
  /**
   * The sum of the costs of all waiting jobs. An app may use as much as it leaves to others: half of it, if it is the
   * only one.
   */
  maxCost: number;
  /** Jobs of one app and network that may wait. */
  maxPerNetwork: number;
  /** The sum of their costs; a network's only job may wait regardless of its cost. */
  maxCostPerNetwork?: number;
};

export type FairQueue<Job> = {
  /** False where the queue, the share of the app or that of the network is full; the job is then not in the queue. */
  push(requester: Requester, job: Job, cost?: number): boolean;
  /** The next job to run, or undefined. */
  shift(): Job | undefined;
  /** Empties the queue. */
  clear(): Job[];
  readonly size: number;
};

/** A job for an account with failures waits as long as one that costs this much more. */
const failureFactor = 4;

type Entry<Job> = Requester & { job: Job; cost: number; due: number };
/** `served` is the `due` of the job that ran last. */
type AppEntries<Job> = { entries: Entry<Job>[]; cost: number; served: number };

/**
 * Apps are served in turn. Within an app the jobs are ordered by self-clocked fair queueing: a job is due once the app's
 * other networks have been served as much as the job itself costs, counted from the previous job of its own network. Equal
 * costs give a round robin over networks; otherwise cheap jobs go first, and expensive ones are never postponed for ever.
 */
export function fairQueue<Job>({
  maxCost,
  maxPerNetwork,
  maxCostPerNetwork = Number.POSITIVE_INFINITY,
}: FairQueueLimits): FairQueue<Job> {
  // A Map iterates in the order of insertion: the first app is the next one served.
  const apps = new Map<string, AppEntries<Job>>();
  let totalCost = 0;

  return {
    push(requester, job, cost = 1) {
      const { appId, network } = requester;
      const app = apps.get(appId) ?? { entries: [], cost: 0, served: 0 };
      const ofNetwork = app.entries.filter((entry) => entry.network === network);
      if (network !== null && ofNetwork.length >= maxPerNetwork) return false;
      const networkCost = ofNetwork.reduce((sum, entry) => sum + entry.cost, cost);
      if (network !== null && ofNetwork.length > 0 && networkCost > maxCostPerNetwork) return false;
      // An app's only job may wait regardless of its cost.
      if (app.entries.length > 0 && app.cost + cost > maxCost - totalCost - cost) return false;
      app.entries.push({ ...requester, job, cost, due: dueOf(requester, cost, app.served, ofNetwork) });
      app.cost += cost;
      totalCost += cost;
      apps.set(appId, app);
      return true;
    },
    shift() {
      const [next] = apps;
      if (!next) return undefined;
      const [appId, app] = next;
      const first = takeFirst(app.entries);
      app.cost -= first.cost;
      app.served = first.due;
      totalCost -= first.cost;
      apps.delete(appId);
      if (app.entries.length > 0) apps.set(appId, app);
      return first.job;
    },
    clear() {
      const jobs = [...apps.values()].flatMap(({ entries }) => entries.map(({ job }) => job));
      apps.clear();
      totalCost = 0;
      return jobs;
    },
    get size() {
      return [...apps.values()].reduce((sum, { entries }) => sum + entries.length, 0);
    },
  };
}

/**
 * The position of a job in the order of its app: after all earlier jobs of its network, except that jobs for an account with
 * failures delay only others of that kind.
 */
function dueOf<Job>(
  { hasFailures }: Requester,
  cost: number,
  served: number,
  ofNetwork: Entry<Job>[],
): number {
  const ahead = ofNetwork.filter((entry) => hasFailures || !entry.hasFailures);
  const start = Math.max(served, ...ahead.map(({ due }) => due));
  return start + cost * (hasFailures ? failureFactor : 1);
}

/** Removes the entry that is due first; of equal ones, the one that has waited longest. */
function takeFirst<Job>(entries: Entry<Job>[]): Entry<Job> {
  const first = entries.reduce((best, entry) => (entry.due < best.due ? entry : best));
  entries.splice(entries.indexOf(first), 1);
  return first;
}
