// The words of every mail in every language: complete, short, with the placeholders of the English ones, in text and in HTML.
import { mailLanguages, mailNotices, mailPurposes, type Role } from '@foyer/contract';
import { describe, expect, test } from 'vitest';
import { defaultSettings } from '../apps/default-settings.js';
import { builtInWords } from './built-in-words.js';
import { compose, type MailAbout } from './compose.js';
import { directionOf } from './language.js';
import type { MailKind, MailText } from './words.js';

/** What notifications and lists of mails show of a subject, without the name of the app. */
const subjectCharacters = 78;

const app = {
  name: 'Acme & <Söhne>',
  settings: { ...defaultSettings(), deep_link: 'https://app.example.com/in' },
};
const kinds: MailKind[] = [...mailPurposes, ...mailNotices, 'invitation', 'sign_in_settings_changed'];

const invitation = {
  appName: 'Acme & <Söhne>' as string | null,
  role: 'editor' as Role,
  invitedBy: 'owner@example.com',
  link: 'https://accounts.example.com/dashboard/invitation#inv_x',
  expiresAt: Date.UTC(2026, 2, 8, 10),
};
const about = {
  email: 'ada@example.com',
  code: '402718',
  service: 'accounts.google.com',
  device: 'Firefox, Android 15',
  invitation,
  settingsChange: { appId: 'a', appName: 'Acme & <Söhne>', settings: ['sign_up'], by: 'owner@example.com' },
  at: new Date('2026-03-01T10:00:00Z'),
};
const composed = (kind: MailKind, acceptLanguage: string, more: Partial<MailAbout> = {}) =>
  compose(app, { ...about, kind, acceptLanguage, ...more });

const table = mailLanguages.flatMap((language) => kinds.map((kind) => ({ language, kind })));

test.each(table)(
  '$kind in $language is whole in its subject, its text and its HTML',
  ({ language, kind }) => {
    const { subject, text, html } = composed(kind, language);
    expect(`${subject}${text}${html}`).not.toMatch(/\{\{|\}\}|\b(undefined|null)\b/);
    expect(subject.length).toBeGreaterThan(5);
    expect(subject).not.toMatch(/\p{Cc}/u);
    expect(text).toContain('Acme & <Söhne>');
    expect(html).not.toContain('<Söhne>');
    expect(html).toContain('&#60;Söhne&#62;');
    const direction = directionOf(language) === 'rtl' ? ' dir="rtl"' : '';
    expect(html).toContain(`<html lang="${language}"${direction}>`);
    for (const paragraph of html.match(/<p [^>]*dir="(?!ltr)[^>]*>/g) ?? []) {
      expect(paragraph).toContain(direction || 'dir="auto"');
    }
    // No mail in another language says the same, as a forgotten translation would.
    if (language !== 'en') expect(subject).not.toBe(composed(kind, 'en').subject);
  },
);

test.each(mailLanguages)('codes in %s come first, in the subject and the text', (language) => {
  for (const kind of mailPurposes) {
    const { subject, text } = composed(kind, language);
    expect(subject.startsWith('402718')).toBe(true);
    expect(text.startsWith('402718\n\n')).toBe(true);
    expect(text).toContain('10');
    // "Never share it" after a sentence about the password would name the password.
    const sentences = text.trim().match(/[^.。]+[.。]/g);
    expect(sentences?.at(-1)).toMatch(/\b(code|código|codice|kodu)\b|الرمز|コード|验证码/i);
  }
});

test('what is the same in every language keeps its punctuation in a mail from right to left', () => {
  const { settings } = app;
  const mail = {
    ...settings.mail,
    branding: { ...settings.mail.branding, button: 'Open!', footer: 'Acme Ltd.' },
  };
  const { html } = compose(
    { ...app, settings: { ...settings, mail } },
    { ...about, kind: 'sign_in', acceptLanguage: 'ar' },
  );
  expect(html).toMatch(/<a [^>]*dir="auto"[^>]*>Open!</);
  expect(html).toMatch(/<span dir="auto">Acme Ltd\.</);
});

test.each(mailLanguages)('times in %s have the year, 24 hours, European digits and UTC', (language) => {
  const { text } = composed('password_changed', language, { at: new Date('2026-03-01T22:05:00Z') });
  expect(text).toMatch(/2026.*22:05 UTC/);
});

test('of an owner of the service, the invitation in every language names no app', () => {
  const texts = mailLanguages.map(
    (language) => composed('invitation', language, { invitation: { ...invitation, appName: null } }).text,
  );
  expect(new Set(texts).size).toBe(mailLanguages.length);
  expect(texts.filter((text) => text.includes('Acme'))).toEqual([]);
});

describe.each(mailLanguages)('the words in %s', (language) => {
  const words = builtInWords[language];
  const mails = Object.keys(builtInWords.en).filter((key) => !key.endsWith('Link')) as (keyof typeof words)[];
  const placeholdersIn = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g) ?? [])].toSorted();
  const whole = ({ subject, paragraphs }: MailText) => [subject, ...paragraphs].join('\n');

  test('have the placeholders of the English words, and as many paragraphs', () => {
    for (const kind of mails) {
      const [here, english] = [words[kind], builtInWords.en[kind]] as [MailText, MailText];
      expect([kind, placeholdersIn(whole(here))]).toEqual([kind, placeholdersIn(whole(english))]);
      expect([kind, placeholdersIn(here.subject)]).toEqual([kind, placeholdersIn(english.subject)]);
      expect(here.paragraphs).toHaveLength(english.paragraphs.length);
    }
    expect(placeholdersIn(words.signInLink)).toEqual(['{{app}}']);
    expect(words.invitationLink.length).toBeLessThanOrEqual(40);
  });

  test('have short subjects, and no white space that nobody sees', () => {
    for (const kind of mails) {
      const { subject, paragraphs } = words[kind] as MailText;
      const shown = subject.replace('{{code}}', '402718').replace('{{app}}', '');
      expect([kind, shown.length <= subjectCharacters]).toEqual([kind, true]);
      for (const line of [subject, ...paragraphs]) expect(line).toBe(line.trim().replace(/ {2,}/g, ' '));
    }
  });
});
