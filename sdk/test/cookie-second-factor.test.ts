// Sign-ins in two steps, and with passkeys, whose session the app's backend keeps in cookies.
import { describe, expect, test } from 'vitest';
import { newAuthenticator, passkeyScenario } from '../../server/test/passkey-scenario.js';
import { secondFactorScenario } from '../../server/test/second-factor-scenario.js';
import { type Client, passkeys, secondFactor, secondFactorOf } from '../src/index.js';
import { password, service, sessionCount, signedUp, startApp, useService } from './cookie-app.js';

useService();
const { codeOf, enroll } = secondFactorScenario(() => service);

async function ticketOf(signIn: Promise<unknown>): Promise<string> {
  const error = await signIn.catch((refusal) => refusal);
  return secondFactorOf(error)?.ticket ?? expect.fail(String(error));
}

/** The emulated authenticator as the functions of a native module. */
function nativePasskeys() {
  const device = newAuthenticator();
  const given = { expires_in: 300 };
  return {
    create: async (public_key: object) => device.create({ public_key, ...given } as never),
    get: async (public_key: object) => device.get({ public_key, ...given } as never),
  };
}

describe('a session in cookies', () => {
  test('begins with the second step, which may follow a reload', async () => {
    await service.changeSettings({ second_factor: 'optional' });
    const { browser, page, email, uid } = await signedUp();
    const { secret } = await enroll({ token: await tokenOf(page) });
    await page.auth.signOut();
    const ticket = await ticketOf(page.auth.signIn({ email, password }));
    expect(browser.cookie).toBe('');
    expect(await browser.visit()).toBe('signed out');
    const later = browser.page();
    const { user } = await secondFactor(later).complete({ ticket, totp: codeOf(secret) });
    expect(user.uid).toBe(uid);
    expect(later.auth.state).toMatchObject({ status: 'signedIn', uid });
    expect(await browser.visit()).toBe(email);
    expect(browser.cookie).toContain('rt_');
    expect(browser.readable).not.toContain('rt_');
    expect(await sessionCount(uid)).toBe(1);
  });

  test('is not begun by a wrong code, and that of a user who is signed in stays', async () => {
    await service.changeSettings({ second_factor: 'optional' });
    const { browser, page, email, uid } = await signedUp();
    const { secret } = await enroll({ token: await tokenOf(page) });
    const { cookie } = browser;
    const ticket = await ticketOf(page.auth.signIn({ email, password }));
    const wrong = secondFactor(page).complete({ ticket, totp: codeOf(secret, 9) });
    await expect(wrong).rejects.toMatchObject({ code: 'auth/invalid-code' });
    expect(browser.cookie).toBe(cookie);
    expect(page.auth.state).toMatchObject({ status: 'signedIn', uid });
  });

  test('begins with the enrolment that the app requires, whose recovery codes reach the page', async () => {
    await service.changeSettings({ second_factor: 'required' });
    const { browser } = await startApp();
    const page = browser.page();
    const email = 'required@example.com';
    const ticket = await ticketOf(page.auth.signUp({ email, password }));
    expect(browser.cookie).toBe('');
    const { secret } = await secondFactor(page).enroll(ticket);
    const { recovery_codes } = await secondFactor(page).confirmEnrollment({ ticket, code: codeOf(secret) });
    expect(recovery_codes).toHaveLength(10);
    expect(await browser.visit()).toBe(email);
    expect(browser.readable).not.toContain('rt_');
  });

  test('begins with a passkey', async () => {
    await service.changeSettings({ second_factor: 'optional' });
    await passkeyScenario(() => service).enable();
    const { browser, page, email } = await signedUp();
    const device = nativePasskeys();
    await passkeys(page, device).register();
    await page.auth.signOut();
    expect((await passkeys(browser.page(), device).signIn()).user.email).toBe(email);
    expect(await browser.visit()).toBe(email);
    expect(browser.readable).not.toContain('rt_');
  });
});

const tokenOf = async (page: Client) => (await page.auth.getAccessToken()) as string;
