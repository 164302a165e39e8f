// The time and the ids of the fake service: ids are valid ULIDs in the order of their creation.

export interface FakeClock {
  now(): number;
  advance(ms: number): void;
  /** ISO 8601, UTC, with microseconds. */
  timestamp(atMs?: number): string;
  newId(): string;
}

/** Follows the clock of the program, so that fake timers of a test runner move it too. */
export function fakeClock(programNow: () => number): FakeClock {
  let aheadMs = 0;
  let serial = 0;
  const now = () => programNow() + aheadMs;
  return {
    now,
    advance(ms) {
      aheadMs += ms;
    },
    timestamp: (atMs = now()) => new Date(atMs).toISOString().replace('Z', '000Z'),
    newId: () => `01FAKE${String(++serial).padStart(20, '0')}`,
  };
}
