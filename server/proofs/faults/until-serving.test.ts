// The harness fails, and does not wait for ever, when the service does not recover.
import { expect, test } from 'vitest';
import { untilServing } from './until-serving.js';

/** Each answer takes 50 seconds. */
function answering(...statuses: number[]) {
  let time = 0;
  const fetch = async () => {
    time += 50_000;
    return new Response(null, { status: statuses.shift() ?? 503 });
  };
  return { fetch, now: () => time };
}

test('a service that is not ready within 120 seconds after a fault fails the run, with its last answer', async () => {
  await expect(untilServing('http://foyer.test', answering())).rejects.toThrow(
    'not serving 120 seconds after the fault ended: /readyz answers 503',
  );
});

test('a service that becomes ready within 120 seconds does not', async () => {
  await untilServing('http://foyer.test', answering(503, 503, 200));
});
