// The language of a mail, over HTTP: that of the user's latest sign-in, else that of the request, else English.
import { expect, test } from 'vitest';
import { testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';

const service = shared(() => testService());
const speaking = (language: string) => ({ 'accept-language': language });
const languageOf = async (email: string) => {
  const [mail] = await service.mailbox(email);
  return /<html lang="([^"]+)"/.exec(mail?.html ?? '')?.[1];
};
const requestCode = (email: string, language: string) =>
  service.call('POST', '/auth/email-code/send', { body: { email }, headers: speaking(language) });
const password = 'correct horse battery';

async function userWho(language: string): Promise<{ uid: string; email: string }> {
  const email = `${crypto.randomUUID()}@example.com`;
  const body = { email, password };
  const { data } = await service.call<{ user: { uid: string } }>('POST', '/auth/sign-up', {
    body,
    headers: speaking(language),
  });
  return { uid: data.user.uid, email };
}

test('an email without an account gets the language of the request, or English', async () => {
  for (const [asked, sent] of [
    ['fr-CA', 'fr'],
    ['*', 'en'],
    ['x'.repeat(10_000), 'en'],
  ] as const) {
    const email = `${crypto.randomUUID()}@example.com`;
    expect((await requestCode(email, asked)).status).toBe(200);
    expect(await languageOf(email)).toBe(sent);
  }
});

test('a stranger does not choose the language of the mails of a user', async () => {
  const { email } = await userWho('de-CH, de;q=0.9');
  await requestCode(email, 'tr');
  expect(await languageOf(email)).toBe('de');
});

test('a later sign-in changes it, unless it names no language', async () => {
  const { email } = await userWho('de');
  const body = { email, password };
  await service.call('POST', '/auth/sign-in', { body, headers: speaking('pl') });
  await service.call('POST', '/auth/sign-in', { body, headers: speaking('*') });
  await requestCode(email, 'tr');
  expect(await languageOf(email)).toBe('pl');
});

test('what the backend does to an account is reported in the language of its user', async () => {
  const { uid, email } = await userWho('ar-EG, en;q=0.5');
  const backend = { token: service.app.secretKey, headers: speaking('fr') };
  await service.call('PATCH', `/admin/users/${uid}`, { ...backend, body: { password: 'another long one' } });
  const [changed] = await service.mailbox(email);
  expect(changed?.subject).toBe('تم تغيير كلمة مرورك في Test');
  expect(changed?.html).toContain('<html lang="ar" dir="rtl">');
  // The former email has no user any more.
  const other = `${crypto.randomUUID()}@example.com`;
  await service.call('PATCH', `/admin/users/${uid}`, { ...backend, body: { email: other } });
  expect((await service.mailbox(email))[0]?.subject).toBe('تم تغيير البريد الإلكتروني لحسابك في Test');
  await service.call('DELETE', `/admin/users/${uid}`, backend);
  expect((await service.mailbox(other))[0]?.subject).toBe('تم حذف حسابك في Test');
});
