// What an instance without requests costs the database, with all of its timers.
import { createTestDatabase } from '@foyer/prisma/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { scheduler } from '../src/scheduler.js';
import { statementLog, testService } from './harness.js';

const minuteSeconds = 60;
const countedMinutes = 2;
const timers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;
afterEach(() => void vi.useRealTimers());

test('an idle instance sends at most a statement every two seconds', async () => {
  const statements = statementLog();
  // With one connection, a statement is answered after those that were sent before it.
  const database = await createTestDatabase({ onStatement: statements.onStatement, connections: 1 });
  const service = await testService({ database });
  await service.signUp();
  const marker = 'SELECT 1 AS marker';
  /** Lets everything happen that waits for no timer. */
  const settle = async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      await database.prisma.$queryRawUnsafe(marker);
      await new Promise(setImmediate);
    }
  };
  vi.useFakeTimers({ toFake: [...timers] });
  const background = scheduler(service.deps, { timer: true });
  const passMinute = async () => {
    for (let second = 0; second < minuteSeconds; second += 1) {
      service.clock.advance(1_000);
      vi.advanceTimersByTime(1_000);
      await settle();
    }
  };
  // The first minute includes what is due at the start, and shorter pauses.
  await passMinute();
  const passMinutes = async () => {
    for (let minute = 0; minute < countedMinutes; minute += 1) await passMinute();
  };
  const sent = (await statements.during(passMinutes)).filter((sql) => sql !== marker);
  const perSecond = sent.length / (countedMinutes * minuteSeconds);
  expect(sent.join()).toContain('FROM webhook_replays');
  expect(perSecond, sent.join('\n')).toBeLessThanOrEqual(0.5);
  vi.useRealTimers();
  await background.stop();
  await service.stop();
});
