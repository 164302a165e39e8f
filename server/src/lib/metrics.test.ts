// The metrics of a process, in the Prometheus format.
import { expect, test } from 'vitest';
import { processMetrics } from './metrics.js';

test('a gauge is read at each scrape, a request is counted by its route, status and time, and the process is measured', async () => {
  const metrics = await processMetrics();
  let waiting = 3;
  metrics.gauge('foyer_password_queue', 'Passwords waiting.', () => waiting);
  metrics.observe('GET /me', 200, 250);
  const first = (await metrics.text()).body;
  expect(first).toMatch(/^foyer_password_queue 3$/m);
  expect(first).toMatch(/^foyer_http_request_seconds_sum\{route="GET \/me",status="200"\} 0\.25$/m);
  const buckets = [...first.matchAll(/^foyer_http_request_seconds_bucket\{le="([^"]+)"[^}]*\} (\d)$/gm)];
  expect(buckets.map(([, seconds, count]) => [seconds, count])).toEqual([
    ...['0.001', '0.003', '0.01', '0.03', '0.1'].map((seconds) => [seconds, '0']),
    ...['0.3', '1', '3', '10', '+Inf'].map((seconds) => [seconds, '1']),
  ]);
  expect(first).toMatch(/^foyer_process_resident_memory_bytes \d+$/m);
  waiting = 5;
  expect((await metrics.text()).body).toMatch(/^foyer_password_queue 5$/m);
});
