// A session in cookies ends in one tab, while the refresh of another tab or page is on its way: the cookies of its response
// must not replace those of the new session.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hourMs, passTime, password, sessionCount, signedUp, useService } from './cookie-app.js';
import { codeOf } from './harness.js';
import { gate } from './mishaps.js';

useService();

/** A page whose refresh is on its way: the service has spent its token, or not yet, and answers once `open` is called. */
async function pageAmidRefresh(isSpent = true) {
  const signedUpPage = await signedUp();
  const { outage, page } = signedUpPage;
  const { opened, open } = gate();
  const received = gate();
  outage.answer = async (input, init) => {
    delete outage.answer;
    const answer = isSpent && (await fetch(input, init));
    received.open();
    await opened;
    return answer || fetch(input, init);
  };
  const late = codeOf(page.auth.getAccessToken({ forceRefresh: true }));
  await received.opened;
  return { ...signedUpPage, late, open };
}

describe('a session in cookies', () => {
  test('ended in another tab is not restored by a late response to a refresh', async () => {
    const { browser, uid, late, open } = await pageAmidRefresh();
    await browser.page().auth.signOut();
    expect(await sessionCount(uid)).toBe(0);
    open();
    await late;
    expect(browser.cookie).toBe('');
  });

  test.each([true, false])(
    'replaced in another tab is not restored by a late response to a refresh (spent first: %s)',
    async (isSpent) => {
      const { browser, late, open } = await pageAmidRefresh(isSpent);
      const { sid } = browser;
      const email = `${randomUUID()}@example.com`;
      // Stored once the tab's refresh has ended.
      const signedUpAgain = browser.page().auth.signUp({ email, password });
      await expect.poll(() => browser.sid).not.toBe(sid);
      open();
      await Promise.all([late, signedUpAgain]);
      passTime(2 * hourMs);
      expect(await browser.visit()).toBe(email);
    },
  );

  test('replaced by a sign-in leaves that alone when a page is rendered with its cookies', async () => {
    const { origin, browser, page } = await signedUp();
    passTime(2 * hourMs);
    const { cookie } = browser;
    await page.auth.signUp({ email: `${randomUUID()}@example.com`, password });
    const { headers } = await fetch(origin, { headers: { Cookie: cookie } });
    expect(headers.getSetCookie()).toEqual([]);
  });

  test('remains after a sign-in that failed, also when the page has lost what it stored', async () => {
    const { browser, page } = await signedUp();
    const other = `${randomUUID()}@example.com`;
    expect(await codeOf(page.auth.signIn({ email: other, password }))).toBe('auth/invalid-credential');
    browser.stored.clear();
    expect(await codeOf(page.auth.getAccessToken({ forceRefresh: true }))).toBe('resolved');
  });
});
