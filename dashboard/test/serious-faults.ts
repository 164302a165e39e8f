// What axe finds on a page, without its lesser findings.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Axe from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What the source defines in a page. */
declare const axe: typeof Axe;

export async function seriousFaults(page: Page): Promise<string[]> {
  // Colors that are still changing have another contrast.
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)));
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(source);
  // In the page: what axe found otherwise is much, and would be serialized.
  return page.evaluate(async () => {
    const { violations } = await axe.run({ resultTypes: ['violations'] });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  });
}
