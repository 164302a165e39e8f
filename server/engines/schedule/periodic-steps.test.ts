// Periodic work of two instances on one database.
import type { Database } from '@foyer/prisma';
import { createTestDatabase } from '@foyer/prisma/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type ManualClock, manualClock } from '../../test/harness.js';
import { type PeriodicSteps, type Step, stepsOfEach, stepsOfOne } from './periodic-steps.js';

const [minute, day] = [60_000, 86_400_000];
let database: Database;
let clock: ManualClock;
/** The instances, in the order in which they ran a step. */
let ran: string[];
let lines: string[];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.prisma.scheduledJob.deleteMany();
  [clock, ran, lines] = [manualClock(), [], []];
});

const deps = () => ({
  prisma: database.prisma,
  clock,
  logger: pino({ base: null }, { write: (line: string) => lines.push(line) }),
});

function instance(name: string, step: Step = async () => {}, everyMilliseconds = day): PeriodicSteps {
  const noted: Step = () => {
    ran.push(name);
    return step();
  };
  return stepsOfOne(deps(), everyMilliseconds, { step: noted });
}

test('of two instances one runs a step in each period, regardless of which asks first', async () => {
  const [a, b] = [instance('a'), instance('b')];
  for (let period = 1; period <= 3; period += 1) {
    await Promise.all([a.run(), b.run()]);
    expect(ran).toHaveLength(period);
    clock.advance(day - 1);
    await Promise.all([a.run(), b.run()]);
    expect(ran).toHaveLength(period);
    clock.advance(1);
  }
});

test('a step that has more to do says when, and any instance goes on then', async () => {
  let left = 2;
  const step = async () => {
    left -= 1;
    return left > 0 ? 10_000 : null;
  };
  const [a, b] = [instance('a', step, minute), instance('b', step, minute)];
  await a.run();
  clock.advance(9_999);
  await b.run();
  expect(ran).toEqual(['a']);
  clock.advance(1);
  await b.run();
  expect(ran).toEqual(['a', 'b']);
  clock.advance(minute - 1);
  await Promise.all([a.run(), b.run()]);
  expect(ran).toHaveLength(2);
  clock.advance(1);
  await Promise.all([a.run(), b.run()]);
  expect(ran).toHaveLength(3);
});

test('an instance that starts within the period does not run the step again', async () => {
  await instance('a').run();
  clock.advance(day - 1);
  const started = instance('b');
  await started.run();
  expect(ran).toEqual(['a']);
  clock.advance(1);
  await started.run();
  expect(ran).toEqual(['a', 'b']);
});

test('a step of ten seconds runs every ten seconds', async () => {
  const [a, b] = [instance('a', undefined, 10_000), instance('b', undefined, 10_000)];
  for (let second = 0; second < 60; second += 1) {
    await Promise.all([a.run(), b.run()]);
    clock.advance(1_000);
  }
  expect(ran).toHaveLength(6);
});

test('a step whose owner dies is run by another instance after ten minutes', async () => {
  const died = instance('died', () => new Promise<void>(() => {}));
  const other = instance('other');
  void died.run();
  await expect.poll(() => ran).toEqual(['died']);
  for (let passed = 0; passed < 10; passed += 1) {
    await other.run();
    expect(ran).toEqual(['died']);
    clock.advance(minute);
  }
  await other.run();
  expect(ran).toEqual(['died', 'other']);
  clock.advance(day - 1);
  await other.run();
  expect(ran).toHaveLength(2);
});

test('an owner that was taken for dead does not change the next period when it ends', async () => {
  let end = () => {};
  const slow = instance('slow', () => new Promise<void>((resolve) => (end = resolve)));
  const other = instance('other');
  const running = slow.run();
  await expect.poll(() => ran).toEqual(['slow']);
  clock.advance(10 * minute);
  await other.run();
  clock.advance(minute);
  end();
  await running;
  clock.advance(day - minute - 1);
  await Promise.all([slow.run(), instance('third').run()]);
  expect(ran).toEqual(['slow', 'other']);
});

test('a step that fails is logged, and retried a minute later by any instance', async () => {
  const failing = instance('failing', async (): Promise<void> => {
    throw new Error('not now');
  });
  await failing.run();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('"step":"step"');
  const other = instance('other');
  clock.advance(minute - 1);
  await other.run();
  expect(ran).toEqual(['failing']);
  clock.advance(1);
  await other.run();
  expect(ran).toEqual(['failing', 'other']);
});

test('a claim by a clock that was years ahead does not stop the step', async () => {
  const start = clock.now();
  clock.advance(1_000 * day);
  await instance('ahead').run();
  clock.set(start);
  await instance('right').run();
  expect(ran).toEqual(['ahead', 'right']);
});

test('an instance whose clock was years ahead runs the step once the clock is right', async () => {
  const start = clock.now();
  clock.advance(1_000 * day);
  const [ofAll, ofEach] = [
    instance('one'),
    stepsOfEach(deps(), minute, { step: async () => ran.push('each') }),
  ];
  for (const steps of [ofAll, ofEach]) await steps.run();
  clock.set(start);
  for (const steps of [ofAll, ofEach]) await steps.run();
  expect(ran).toEqual(['one', 'each', 'one', 'each']);
});

test('the error of a step is logged even if its retry cannot be recorded', async () => {
  const rename = (from: string, to: string) =>
    database.prisma.$executeRawUnsafe(`ALTER TABLE ${from} RENAME TO ${to}`);
  const failing = instance('failing', async () => {
    await rename('scheduled_jobs', 'away');
    throw new Error('not now');
  });
  await failing.run();
  await rename('away', 'scheduled_jobs');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('not now');
  expect(lines[1]).toContain('scheduled_jobs');
});

test('a step of ten seconds is not run by a second instance while it takes less than a minute', async () => {
  let end = () => {};
  const slow = instance('slow', () => new Promise<void>((resolve) => (end = resolve)), 10_000);
  const other = instance('other', undefined, 10_000);
  const running = slow.run();
  await expect.poll(() => ran).toEqual(['slow']);
  for (let passed = 0; passed < 59; passed += 1) {
    clock.advance(1_000);
    await other.run();
  }
  expect(ran).toEqual(['slow']);
  end();
  await running;
  clock.advance(10_000);
  await other.run();
  expect(ran).toEqual(['slow', 'other']);
});

test('a step of ten seconds whose owner dies is run by another instance after a minute', async () => {
  const died = instance('died', () => new Promise<void>(() => {}), 10_000);
  void died.run();
  await expect.poll(() => ran).toEqual(['died']);
  clock.advance(minute - 1);
  await instance('early', undefined, 10_000).run();
  expect(ran).toEqual(['died']);
  clock.advance(1);
  await instance('other', undefined, 10_000).run();
  expect(ran).toEqual(['died', 'other']);
});

test.each([
  ['an hour', 60 * minute, ['ahead']],
  ['more', 60 * minute + 1, ['ahead', 'right']],
])('a step that ran by a clock that is ahead by %s', async (_what, ahead, expected) => {
  const start = clock.now();
  clock.advance(ahead);
  await instance('ahead').run();
  clock.set(start);
  await instance('right').run();
  expect(ran).toEqual(expected);
});

test('a stop waits ten seconds for the step that is running, and starts no other', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let end = () => {};
  const steps = stepsOfEach(deps(), minute, {
    slow: () => new Promise<void>((resolve) => (end = resolve)),
    next: async () => ran.push('next'),
  });
  const running = steps.run();
  let stopped = false;
  const stopping = steps.stop().then(() => {
    stopped = true;
  });
  await vi.advanceTimersByTimeAsync(9_999);
  expect(stopped).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await stopping;
  end();
  await running;
  expect(ran).toEqual([]);
});

test('a step of each instance runs in both', async () => {
  const own = ['a', 'b'].map((name) => stepsOfEach(deps(), minute, { step: async () => ran.push(name) }));
  await Promise.all(own.map((steps) => steps.run()));
  expect(ran.toSorted()).toEqual(['a', 'b']);
});
