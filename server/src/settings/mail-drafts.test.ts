// Previews of mails, test mails, and how many texts an app has, over HTTP.
import { type AppSettingsPatch, mailNotices, type RenderedMail } from '@foyer/contract';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testService } from '../../test/harness.js';
import { expectRefusal } from '../../test/refusal.js';
import { shared } from '../../test/shared.js';
import { type TeamScenario, type TestMember, teamScenario } from '../../test/team-scenario.js';
import type { NewApp } from '../apps/create-app.js';

const service = shared(() => testService());
let app: NewApp;
beforeEach(async () => {
  app = await service.newApp('Orchard & Sons');
});

const backend = <Data = unknown>(method: string, path: string, body: object) =>
  service.call<Data>(method, path, { appKey: app.app.appKey, token: app.secretKey, body });
const change = (settings: AppSettingsPatch) => service.changeSettings(settings, app);

describe('a preview', () => {
  const preview = async (draft: object): Promise<RenderedMail> => {
    const answer = await backend<RenderedMail>('POST', '/admin/settings/preview-mail', draft);
    expect([answer.status, answer.code]).toEqual([200, undefined]);
    return answer.data;
  };

  test('shows the built-in text with a sample code, and sends nothing', async () => {
    const before = service.deps.mailer.mailbox?.mails().length;
    const mail = await preview({ purpose: 'sign_in' });
    expect(mail).toMatchObject({
      from_name: 'Orchard & Sons',
      from_email: null,
      reply_to: null,
      subject: '123456 is your sign-in code for Orchard & Sons',
    });
    expect(mail.text).toMatch(/^123456\n\nThis is your code to sign in to Orchard & Sons\./);
    expect(mail.html).toContain('Orchard &#38; Sons');
    await service.deps.queue.runNow();
    expect(service.deps.mailer.mailbox?.mails().length).toBe(before);
  });

  test('is exactly the mail that a user receives, but for the code', async () => {
    await change({
      deep_link: 'https://app.example.com/in',
      mail: {
        from_name: 'Orchard',
        reply_to: 'help@example.com',
        texts: { sign_in: { de: { subject: 'Dein Code', text: 'Hallo\n\nTschüss' } } },
      },
    });
    await service.call('POST', '/auth/email-code/send', {
      appKey: app.app.appKey,
      body: { email: 'user@example.com' },
      headers: { 'accept-language': 'de' },
    });
    const [sent] = await service.mailbox('user@example.com');
    const real = (text = '') => text.replaceAll(sent?.code ?? '', '123456');
    const mail = await preview({ purpose: 'sign_in', language: 'de' });
    expect(mail).toEqual({
      from_name: sent?.fromName,
      from_email: null,
      reply_to: sent?.replyTo,
      subject: real(sent?.subject),
      text: real(sent?.text),
      html: real(sent?.html),
      language: 'de',
      words: { subject: 'Dein Code', text: 'Hallo\n\nTschüss' },
    });
    expect(mail.text).toContain('https://app.example.com/in?mode=sign_in');
  });

  test('uses a text that is not stored, in its language, and stores nothing', async () => {
    const text = { subject: 'Ton code', text: 'Bonjour <b>' };
    const french = await preview({ purpose: 'reset', language: 'fr', text });
    expect(french).toMatchObject({ subject: '123456 · Ton code', text: '123456\n\nBonjour <b>\n' });
    expect(french.html).toContain('Bonjour &#60;b&#62;');
    expect(french.html).toContain('<html lang="fr">');
    expect(await preview({ purpose: 'reset', language: 'fr' })).toMatchObject({
      subject: expect.stringMatching(/est votre code pour un nouveau mot de passe/),
    });
  });

  test('replaces the stored text of the same language only', async () => {
    const texts = {
      sign_in: { 'de-CH': { subject: 'Alt', text: 'Alt' }, de: { subject: 'Deutsch', text: 'D' } },
    };
    await change({ mail: { texts } });
    const text = { subject: 'Neu', text: 'Neu' };
    expect((await preview({ purpose: 'sign_in', language: 'de-ch', text })).subject).toBe('123456 · Neu');
    expect((await preview({ purpose: 'sign_in', language: 'de' })).subject).toBe('123456 · Deutsch');
    expect((await preview({ purpose: 'sign_in', language: 'de-CH' })).subject).toBe('123456 · Alt');
  });

  test('contains no script or remote content, whatever the texts and the name are', async () => {
    const hostile = '"><script>alert(1)</script><img src=//evil.example onerror=alert(1)>';
    await change({ mail: { from_name: "O'Orchard & co" } });
    const { html } = await preview({
      purpose: 'verification',
      language: 'en',
      // A subject with a URL is refused.
      text: { subject: hostile.replace('//evil.example', 'x'), text: hostile },
    });
    expect(html).not.toMatch(/<(script|img|link|iframe|object|style|form|base|meta http)/i);
    expect(html).toContain('&#60;script&#62;');
  });

  test('returns the words with their placeholders, which make the same mail as a text of the app', async () => {
    for (const language of ['en', 'ja', 'ar']) {
      const builtIn = await preview({ purpose: 'verification', language });
      expect(builtIn.words.subject).toMatch(/^\{\{code\}\}/);
      expect(await preview({ purpose: 'verification', language, text: builtIn.words })).toEqual(builtIn);
    }
  });

  test('has the branding of the draft, as text, and the stored one where it has none', async () => {
    await change({
      deep_link: 'https://app.example.com/in',
      mail: { branding: { footer: 'Orchard <Ltd>' } },
    });
    const logo_url = 'https://app.example.com/logo.png?a=1&b=2';
    const branding = { logo_url, accent_color: '#ffcc00', button: 'Go <on>' };
    const { html, text } = await preview({ purpose: 'sign_in', language: 'ar', branding });
    expect(html).toContain('<img src="https://app.example.com/logo.png?a=1&#38;b=2" alt=""');
    expect(html).toContain('background: #ffcc00; border-color: #ffcc00; color: #000000">Go &#60;on&#62;</a>');
    expect(html).toContain('dir="rtl"><span dir="auto">Orchard &#60;Ltd&#62;</span></p>');
    expect(text).toMatch(/Go <on>:\nhttps:.*\n\nOrchard <Ltd>\n$/s);
  });

  test('shows every notice, in every language', async () => {
    for (const purpose of mailNotices) {
      const mail = await preview({ purpose, language: 'pl' });
      expect([purpose, mail.language, mail.text.includes('Orchard & Sons')]).toEqual([purpose, 'pl', true]);
    }
  });

  test('of an invalid draft is rejected', async () => {
    for (const [draft, field] of [
      [{}, 'purpose'],
      [{ purpose: 'welcome' }, 'purpose'],
      [{ purpose: 'reset', language: 'English' }, 'language'],
      [{ purpose: 'reset', text: { subject: 'two\nlines', text: 'x' } }, 'text.subject'],
      [{ purpose: 'reset', text: { subject: '{{who}}', text: 'x' } }, 'text.subject'],
      [{ purpose: 'reset', text: { subject: 'x', text: 'x'.repeat(2_001) } }, 'text.text'],
    ] as const) {
      const answer = await backend('POST', '/admin/settings/preview-mail', draft);
      expectRefusal(answer, 'request/validation-failed', { [field]: [expect.any(String)] });
    }
  });
});

describe('a test mail', () => {
  let team: TeamScenario;
  let admin: TestMember;
  beforeAll(async () => {
    team = await teamScenario(() => service);
  });
  beforeEach(async () => {
    admin = await team.newMember(app.app.id, 'admin');
  });
  const send = (draft: object, token = admin.token, of = service, headers = {}) =>
    of.call('POST', '/admin/settings/test-mail', { appKey: app.app.appKey, token, headers, body: draft });
  const mailsTo = async (email: string) =>
    (await service.mailbox(email)).filter(({ subject }) => !/invited/.test(subject));

  test('is sent once per idempotency key', async () => {
    const again = () => send({ purpose: 'reset' }, admin.token, service, { 'idempotency-key': 'a mail' });
    const answers = [await again(), await again()];
    expect(answers.map(({ status, data }) => [status, data])).toEqual(
      answers.map(() => [200, { to: admin.email }]),
    );
    expect(await mailsTo(admin.email)).toHaveLength(1);
  });

  test('is the preview, mailed to the member who calls, and audited', async () => {
    const draft = { purpose: 'reset', language: 'fr', text: { subject: 'Ton code', text: 'Bonjour' } };
    const answer = await send(draft);
    expect([answer.status, answer.data]).toEqual([200, { to: admin.email }]);
    const preview = (await backend<RenderedMail>('POST', '/admin/settings/preview-mail', draft)).data;
    const [mail, ...more] = await mailsTo(admin.email);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      to: admin.email,
      fromName: preview.from_name,
      subject: preview.subject,
      text: preview.text,
      html: preview.html,
    });
    const entry = await service.database.prisma.auditLog.findFirst({
      where: { appId: app.app.id, action: 'mail.tested' },
    });
    expect(entry).toMatchObject({
      actor: `member:${admin.uid}`,
      target: `app:${app.app.id}`,
      details: { purpose: 'reset', language: 'fr' },
    });
  });

  test.each(mailNotices)('of the notice `%s` has the words of its preview', async (purpose) => {
    expect((await send({ purpose })).status).toBe(200);
    const preview = (await backend<RenderedMail>('POST', '/admin/settings/preview-mail', { purpose })).data;
    const mails = await mailsTo(admin.email);
    expect(mails.map(({ subject }) => subject)).toEqual([preview.subject]);
    if (purpose === 'new_device') expect(mails[0]?.text).toBe(preview.text);
  });

  test('has a code that opens nothing', async () => {
    const user = await service.signUp({ email: admin.email, appKey: app.app.appKey });
    await send({ purpose: 'sign_in' });
    const body = { email: user.email, code: '123456' };
    const answer = await service.call('POST', '/auth/email-code/verify', {
      appKey: app.app.appKey,
      body,
    });
    expect(answer.code).toBe('auth/invalid-code');
  });

  test('is sent five times an hour to each member, then not', async () => {
    const limited = await service.secondInstance({ rateLimits: true });
    const before = (await mailsTo(admin.email)).length;
    for (let mails = 0; mails < 5; mails += 1)
      expect((await send({ purpose: 'reset' }, admin.token, limited)).status).toBe(200);
    const refused = await send({ purpose: 'reset' }, admin.token, limited);
    expectRefusal(refused, 'request/rate-limited');
    const colleague = await team.newMember(app.app.id, 'admin');
    expect((await send({ purpose: 'reset' }, colleague.token, limited)).status).toBe(200);
    await limited.deps.queue.runNow();
    const delivered = limited.deps.mailer.mailbox?.mails(admin.email).length ?? 0;
    expect(delivered + (await mailsTo(admin.email)).length - before).toBe(5);
    await limited.stop();
  });
});

test('mails of a purpose have texts in 50 languages at most, however many calls add them', async () => {
  const text = { subject: 'Code', text: 'Your code' };
  const languages = (from: number, to: number) =>
    Object.fromEntries(Array.from({ length: to - from }, (_, at) => [`en-r${from + at}x`, text]));
  const add = (texts: object) => backend('PATCH', '/admin/settings', { mail: { texts } });
  for (const purpose of ['sign_in', 'reset']) {
    expect((await add({ [purpose]: languages(10, 40) })).status).toBe(200);
    expect((await add({ [purpose]: languages(40, 60) })).status).toBe(200);
    const fields = { [`mail.texts.${purpose}`]: ['must have at most 50 languages'] };
    expectRefusal(await add({ [purpose]: languages(60, 61) }), 'request/validation-failed', fields);
  }
  expect((await add({ sign_in: { 'en-r10x': null, ...languages(60, 61) } })).status).toBe(200);
});
