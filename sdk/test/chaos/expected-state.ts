// What every tab must show, by the sign-ins and sign-outs of the run, and the states that differ from it.

export interface Seen {
  client: string;
  status: 'loading' | 'signedIn' | 'signedOut';
  reason?: string;
  uid?: string;
  /** The status before. */
  from?: string;
}

type Expected = { uid: string } | 'signed out' | 'changing';

/** Within this time after a sign-in or sign-out every tab has followed. */
const followMs = 3_000;

export function createExpectedState() {
  let expected: Expected = 'changing';
  let sinceMs = Date.now();
  const found = {
    /** Tabs that were signed out although nobody had signed out. */
    unwanted: [] as string[],
    /** Tabs that had a session again after its sign-out. */
    resurrected: [] as string[],
    /** Tabs that still showed the state before. */
    late: [] as string[],
  };
  const note = (list: keyof typeof found, { client, status, reason = '', from = '' }: Seen) => {
    const line = `${new Date().toISOString()} ${client} ${from} ${status} ${reason}`;
    found[list].push(line);
    console.log(`${list}: ${line}`);
  };
  const isSettled = () => Date.now() - sinceMs > followMs;

  return {
    found,
    get current() {
      return expected;
    },
    change(next: Expected) {
      expected = next;
      sinceMs = Date.now();
    },
    /** Judges a change of a tab's state. */
    changed(seen: Seen) {
      if (expected === 'changing') return;
      const isSignedOut = expected === 'signed out';
      if (!isSignedOut && seen.status === 'signedOut' && isSettled()) note('unwanted', seen);
      const isBack = seen.from === 'signedOut' || isSettled();
      if (isSignedOut && seen.status === 'signedIn' && isBack) note('resurrected', seen);
    },
    /** Judges the present state of a tab. */
    check(seen: Seen) {
      if (expected === 'changing' || !isSettled() || seen.status === 'loading') return;
      const isSame = expected === 'signed out' ? seen.status === 'signedOut' : seen.uid === expected.uid;
      if (!isSame) note('late', seen);
    },
  };
}

export type ExpectedState = ReturnType<typeof createExpectedState>;
