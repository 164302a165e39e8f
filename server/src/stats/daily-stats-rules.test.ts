import { expect, test } from 'vitest';
import { dayRange } from './daily-stats-rules.js';

const today = '2026-03-01';

test.each([
  [{}, '2026-01-31', '2026-03-01', 30],
  [{ from: '2026-02-28' }, '2026-02-28', '2026-03-01', 2],
  [{ to: '2025-12-31' }, '2025-12-02', '2025-12-31', 30],
  [{ from: '2024-02-28', to: '2024-03-01' }, '2024-02-28', '2024-03-01', 3],
  [{ from: '2026-03-01', to: '2026-03-01' }, '2026-03-01', '2026-03-01', 1],
  [{ from: '2025-01-26', to: '2026-03-01' }, '2025-01-26', '2026-03-01', 400],
  [{ from: '2026-03-05', to: '2026-03-06' }, '2026-03-05', '2026-03-06', 2],
])('%o is from %s to %s, %i days', (query, from, to, count) => {
  const range = dayRange(query, today);
  if ('fields' in range) throw new Error('the range is valid');
  expect([range.from, range.to, range.days[0], range.days.at(-1)]).toEqual([from, to, from, to]);
  expect(new Set(range.days).size).toBe(count);
});

test.each([
  [{ from: '2026-03-02' }, 'must not be after 2026-03-01, the last day'],
  [{ from: '2026-02-02', to: '2026-02-01' }, 'must not be after 2026-02-01, the last day'],
  [{ from: '2025-01-25' }, 'must be at most 400 days back from the last day, 2026-03-01'],
])('%o is rejected', (query, message) => {
  expect(dayRange(query, today)).toEqual({ fields: { from: [message] } });
});
