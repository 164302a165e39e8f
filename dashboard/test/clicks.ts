// What a job costs a member: the presses of the pointer since the last question. A run with FOYER_JOBS=1 prints each with its
// seconds, which depend on the machine.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

declare const window: { presses?: number };

/** Counts from now on, until the page is loaded again. */
export async function clicksOn(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    window.presses = 0;
    document.addEventListener('pointerdown', () => (window.presses = (window.presses ?? 0) + 1), true);
  });
  let begun = performance.now();
  return async () => {
    const clicks = await page.evaluate(() => {
      const presses = window.presses ?? Number.NaN;
      window.presses = 0;
      return presses;
    });
    const seconds = (performance.now() - begun) / 1_000;
    begun = performance.now();
    if (process.env.FOYER_JOBS) {
      console.log(`${clicks} clicks, ${seconds.toFixed(1)} s: ${expect.getState().currentTestName}`);
    }
    return clicks;
  };
}
