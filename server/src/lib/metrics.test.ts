// The metrics of a process, in the Prometheus format.
import { expect, test } from 'vitest';
import { processMetrics } from './metrics.js';

test('a gauge is read at each scrape, and a request is counted by its route, status and time', async () => {
  const metrics = await processMetrics();
  let waiting = 3;
  metrics.gauge('foyer_password_queue', 'Passwords waiting.', () => waiting);
  metrics.observe('GET /me', 200, 250);
  const first = (await metrics.text()).body;
  expect(first).toMatch(/^foyer_password_queue 3$/m);
  expect(first).toMatch(/^foyer_http_request_seconds_sum\{route="GET \/me",status="200"\} 0\.25$/m);
  waiting = 5;
  expect((await metrics.text()).body).toMatch(/^foyer_password_queue 5$/m);
});
