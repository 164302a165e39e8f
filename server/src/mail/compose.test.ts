// Content of mails: texts, sender, language, and hostile names and settings.
import { magicLink, mailNotices, mailPurposes } from '@foyer/contract';
import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../apps/default-settings.js';
import { compose, type MailAbout } from './compose.js';

const at = new Date('2026-03-01T10:00:00.123Z');
const email = 'ada+foyer@example.com';
const service = 'accounts.google.com';
const device = 'Firefox on Linux';

type Settings = ReturnType<typeof defaultSettings>;

function appWith(given: { name?: string; mail?: Partial<Settings['mail']>; deepLink?: string } = {}) {
  const settings = defaultSettings();
  Object.assign(settings.mail, given.mail);
  settings.deep_link = given.deepLink ?? null;
  return { name: given.name ?? 'Acme', settings };
}

const composed = (app: ReturnType<typeof appWith>, about: Partial<MailAbout> = {}) =>
  compose(app, { kind: 'sign_in', email, code: '402718', at, ...about });

/** The displayed text of the HTML. */
function seenIn(html: string): string {
  return html
    .slice(html.indexOf('<body'))
    .replace(/<br>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .trim();
}

describe('a mail with a code', () => {
  test.each(mailPurposes)('of %s starts with the code in every part, and names the app', (kind) => {
    const { subject, text, html } = composed(appWith(), { kind });
    expect(subject).toMatch(/^402718 is your .*Acme/);
    expect(text).toMatch(/^402718\n\nThis is your code .*Acme/);
    expect(seenIn(html)).toMatch(/^402718\n/);
    expect(text).toContain('within 10 minutes');
  });

  test('has the same content as text and as HTML', () => {
    const { text, html } = composed(appWith());
    for (const line of text.split('\n').filter(Boolean)) expect(seenIn(html)).toContain(line);
  });

  test('without a code throws', () => {
    expect(() => composed(appWith(), { code: undefined })).toThrow('lacks its content');
  });

  test('loads no external content and runs no script', () => {
    const { html } = composed(appWith({ deepLink: 'https://app.example.com/in' }));
    expect(html).not.toMatch(
      /<(img|link|script|style|iframe|object|form)|src=|url\(|@import|https?:\/\/(?!app\.example)/i,
    );
  });
});

describe('notices', () => {
  test.each(mailNotices)('%s: names the app and the time', (kind) => {
    const { subject, text, link } = composed(appWith(), { kind, code: undefined, service, device });
    expect(subject).toMatch(/Acme/);
    expect(text).toContain('1 March 2026 at 10:00 UTC');
    expect(link).toBe(undefined);
  });

  test('of removed credentials, and of a changed password, explain how to set a new one', () => {
    for (const kind of ['unproven_removed', 'password_changed'] as const) {
      expect(composed(appWith(), { kind, code: undefined }).text).toMatch(
        /open Acme, request a password reset, and enter the code/,
      );
    }
  });

  test('of a linked provider names its host', () => {
    const about = { kind: 'provider_linked', code: undefined, service: 'accounts.google.com' } as const;
    expect(composed(appWith(), about).text).toContain('An account at accounts.google.com was linked');
  });
});

describe('the sender', () => {
  test("has the app's name, or the configured one, and the configured Reply-To", () => {
    expect(composed(appWith())).toMatchObject({ fromName: 'Acme', replyTo: null });
    const mail = { from_name: 'Acme accounts', reply_to: 'help@acme.example' };
    expect(composed(appWith({ mail }))).toMatchObject({
      fromName: 'Acme accounts',
      replyTo: 'help@acme.example',
    });
  });

  test.each([{ name: 'https://acme.example' }, { mail: { from_name: 'https://acme.example' } }])(
    'of %j has no link in the name',
    (settings) => {
      expect(composed(appWith(settings)).fromName).toBe('https acme example');
    },
  );
});

describe('the magic link', () => {
  test.each([
    ['https://app.example.com/in', 'https://app.example.com/in?'],
    ['https://app.example.com/in?from=mail', 'https://app.example.com/in?from=mail&'],
    ['https://app.example.com/in?', 'https://app.example.com/in?'],
    ['acme://sign-in', 'acme://sign-in?'],
    // Stored before settings refused them.
    ['https://app.example.com/in?email=&from=mail', 'https://app.example.com/in?from=mail&'],
    ['https://app.example.com/in?mode=x&code=1&%65mail=a%40b.example', 'https://app.example.com/in?'],
    ['https://app.example.com/in?emails=1&&my_code=2', 'https://app.example.com/in?emails=1&my_code=2&'],
  ])('of %s has mode, email and code', (deepLink, start) => {
    expect(magicLink(deepLink, email, '402718')).toBe(
      `${start}mode=sign_in&email=ada%2Bfoyer%40example.com&code=402718`,
    );
  });

  test('is parsed back unchanged for any characters in the email', () => {
    const odd = "o'hara+a&code=000000#x%20=?@example.com";
    const query = new URL(magicLink('https://app.example.com/in?a=1', odd, '402718')).searchParams;
    expect([...query]).toEqual([
      ['a', '1'],
      ['mode', 'sign_in'],
      ['email', odd],
      ['code', '402718'],
    ]);
  });

  test('is only in sign-in mails, and only if the app has a deep link', () => {
    const app = appWith({ deepLink: 'https://app.example.com/in' });
    const link = magicLink('https://app.example.com/in', email, '402718');
    const { text, html, link: told } = composed(app);
    expect(told).toBe(link);
    expect(text).toContain(`\n${link}\n`);
    expect(html).toContain(`href="${link.replaceAll('&', '&#38;')}"`);
    expect(composed(appWith()).text).not.toContain('://');
    for (const kind of mailPurposes) {
      if (kind === 'sign_in') continue;
      expect(composed(app, { kind })).toMatchObject({ link: undefined });
      expect(composed(app, { kind }).html).not.toContain('app.example.com');
    }
  });
});

test.each([{}, { sign_in: { en: { subject: '{{app}}', text: 'For {{app}}' } } }])(
  'a code of an app with a link for a name, with the texts %j, has no link in it',
  (texts) => {
    const { subject, text, html } = composed(appWith({ name: 'www.acme.example', mail: { texts } }));
    for (const part of [subject, text, html]) {
      expect(part).toContain('www acme example');
      expect(part).not.toContain('acme.example');
    }
  },
);

describe("the app's own texts", () => {
  const texts: Settings['mail']['texts'] = {
    sign_in: {
      de: { subject: 'ist Ihr Code', text: 'Damit melden Sie sich an.\n\nZweite Zeile\nund dritte.' },
      'pt-BR': { subject: 'é o seu código', text: 'Entre com ele.' },
    },
  };
  const app = appWith({ mail: { texts }, deepLink: 'https://app.example.com/in' });

  test('are used for readers of their language, with the code first and no English text', () => {
    const { subject, text, html } = composed(app, { acceptLanguage: 'de-CH, en;q=0.5' });
    expect(subject).toBe('402718 · ist Ihr Code');
    const link = magicLink('https://app.example.com/in', email, '402718');
    expect(text).toBe(
      `402718\n\nDamit melden Sie sich an.\n\nBei Acme anmelden:\n${link}\n\nZweite Zeile\nund dritte.\n`,
    );
    expect(html).toContain('<html lang="de">');
    expect(html).toContain('Zweite Zeile<br>und dritte.');
  });

  test.each([undefined, '', 'sv', 'en-GB, de;q=0.5', '*'])(
    'are not used for %j, which has the built-in English words',
    (acceptLanguage) => {
      const { subject, html } = composed(app, { acceptLanguage });
      expect(subject).toBe('402718 is your sign-in code for Acme');
      expect(html).toContain('<html lang="en">');
    },
  );

  test.each([
    ['de-AT', 'Bei Acme anmelden'],
    ['pt', 'Entrar em Acme'],
    ['zh-Hans', '登录 Acme'],
    ['ar', 'تسجيل الدخول إلى \u2068Acme\u2069'],
    ['sv', 'Acme'],
  ])('in %s have the button %j', (language, label) => {
    const own = { sign_in: { [language]: { subject: 'Acme', text: 'Acme.' } } };
    const branded = appWith({ mail: { texts: own }, deepLink: 'https://app.example.com/in' });
    const { text } = composed(branded, { acceptLanguage: language });
    expect(text).toContain(`\n\n${label}:\n`);
  });

  test('may have a button of their own, which comes before that of the branding', () => {
    const own = {
      de: { subject: 'Acme', button: 'In {{app}} öffnen', text: 'Acme.' },
      ar: { subject: 'Acme', button: 'افتح {{app}}', text: 'Acme.' },
      fr: { subject: 'Acme', text: 'Acme.' },
    };
    const { branding } = defaultSettings().mail;
    const mail = { texts: { sign_in: own }, branding: { ...branding, button: 'Open' } };
    const branded = appWith({ mail, deepLink: 'https://app.example.com/in' });
    const labels = ['de', 'ar', 'fr'].map(
      (acceptLanguage) => />([^<]*)<\/a>/.exec(composed(branded, { acceptLanguage }).html)?.[1],
    );
    expect(labels).toEqual(['In Acme öffnen', 'افتح \u2068Acme\u2069', 'Open']);
  });

  test('are used only for their purpose, and others have the built-in words', () => {
    expect(composed(app, { kind: 'reset', acceptLanguage: 'de' }).subject).toBe(
      '402718 ist Ihr Code für ein neues Passwort bei Acme',
    );
    const { subject, html, text } = composed(app, { acceptLanguage: 'fr-CA, de;q=0.5' });
    expect(subject).toBe('402718 · ist Ihr Code');
    expect(text).toContain('\n\nBei Acme anmelden:\n');
    expect(html).toContain('<html lang="de">');
    expect(composed(app, { acceptLanguage: 'fr-CA' }).subject).toBe(
      '402718 est votre code de connexion à Acme',
    );
  });

  test('have placeholders, of which {{code}} in the subject replaces the code before it', () => {
    const text = {
      subject: '{{app}}: {{code}}',
      text: '{{code}} for {{app}}, {{minutes}} minutes.\n\n{{name}}',
    };
    const own = appWith({ name: 'Acme {{code}}', mail: { texts: { reset: { en: text } } } });
    const { subject, text: plain } = composed(own, { kind: 'reset' });
    expect(subject).toBe('Acme {{code}}: 402718');
    expect(plain).toBe('402718\n\n402718 for Acme {{code}}, 10 minutes.\n\n{{name}}\n');
  });

  test('leave out paragraphs that are blank', () => {
    const text = { subject: 'Acme', text: 'First.\n\n \t\n\nSecond.' };
    const own = appWith({ mail: { texts: { sign_in: { en: text } } } });
    expect(composed(own).text).toBe('402718\n\nFirst.\n\nSecond.\n');
    expect(composed(own).html.match(/<p /g)).toHaveLength(3);
  });

  test('in English replace ours for every missing language', () => {
    const own = appWith({
      mail: { texts: { sign_in: { en: { subject: 'opens Acme', text: 'Come in.' } } } },
    });
    expect(composed(own, { acceptLanguage: 'fr' }).subject).toBe('402718 · opens Acme');
    expect(composed(own, { acceptLanguage: 'en-US' }).text).toBe('402718\n\nCome in.\n');
  });
});

describe('hostile settings', () => {
  const name = '<b onload="x">Acme</b>\r\nBcc: all@example.com\u202e&amp;';
  const hostile = appWith({
    name,
    deepLink: 'https://app.example.com/in?a="><script>alert(1)</script>\'',
    mail: {
      from_name: 'Acme\r\nBcc: all@example.com',
      texts: {
        sign_in: { de: { subject: 'x\r\nBcc: all@example.com', text: '</p><script>alert(1)</script>' } },
      },
    },
  });

  test.each(['en', 'de'])(
    'are escaped in the HTML and stay on one line in a header (%s)',
    (acceptLanguage) => {
      const { subject, fromName, html } = composed(hostile, { acceptLanguage });
      for (const header of [subject, fromName]) expect(header).not.toMatch(/[\p{Cc}\u202e]/u);
      expect(html).not.toMatch(/<script|<b |onload="/i);
      // Quotes inside an attribute are escaped.
      expect(html).not.toMatch(/href="[^"]*[<>'][^"]*"/);
    },
  );

  test.each(mailNotices)('are escaped in the notice %s', (kind) => {
    const { subject, html } = composed(hostile, {
      kind,
      code: undefined,
      service,
      device: '<b>Phone</b>\r\nBcc: x',
    });
    expect(subject).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(html).not.toMatch(/<script|<b /i);
    expect(seenIn(html)).toContain('<b onload="x">Acme</b> Bcc: all example com &amp;');
  });
});

describe('an invitation', () => {
  const invitation = {
    appName: 'Orchard\r\nBcc: eve@example.com',
    role: 'editor',
    invitedBy: 'owner@example.com',
    link: 'https://accounts.test/dashboard/invitation#inv_x',
    expiresAt: new Date('2026-03-08T10:00:00.123Z').getTime(),
  } as const;
  const mail = (given: Partial<MailAbout['invitation']> = {}) =>
    composed(appWith({ name: 'Foyer' }), { kind: 'invitation', invitation: { ...invitation, ...given } });

  test('names the app, the role, the owner, the link and its end, in text and HTML', () => {
    const { subject, text, html, link, fromName } = mail();
    expect([fromName, subject]).toEqual([
      'Foyer',
      'You are invited to the team of Orchard Bcc: eve example com',
    ]);
    expect(link).toBe(invitation.link);
    for (const part of [invitation.link, 'owner@example.com', 'as editor', '8 March 2026 at 10:00 UTC']) {
      expect(text).toContain(part);
      expect(html).toContain(part);
    }
  });

  test('of an owner of the service names no app', () => {
    const { subject, text } = mail({ appName: null, role: 'owner' });
    expect(subject).toBe('You are invited to become an owner of the service');
    expect(text).toContain('this service as an owner of all its apps');
  });

  test('shows names as text', () => {
    const { html } = mail({ appName: '<script>alert(1)</script>' });
    expect(html).not.toContain('<script>');
  });
});
