// Composes subject, text and HTML of a mail in the app's name and the reader's language. The code comes first, so that
// notifications show it and phones can fill it in. Of the request, only the language is used.
import {
  limits,
  type MailLanguage,
  magicLink,
  mailLanguages,
  mailPurposes,
  type Role,
} from '@foyer/contract';
import type { Mail } from '../../engines/mailer/index.js';
import { oneLine, withoutLinks } from '../lib/one-line.js';
import type { App } from '../model/app.js';
import { builtInWords } from './built-in-words.js';
import { chosenLanguage, directionOf } from './language.js';
import { layOut } from './layout.js';
import { type CodePurpose, filled, type MailKind, type MailText, type Notice } from './words.js';

export type MailAbout = {
  kind: MailKind;
  email: string;
  code?: string | null | undefined;
  /** The stored languages of the user, or an Accept-Language header. */
  acceptLanguage?: string | null | undefined;
  /** The provider of `provider_linked` and `provider_unlinked`. */
  service?: string | undefined;
  /** The device of `new_device`, in words. */
  device?: string | null | undefined;
  /** The content of the kind `invitation`. */
  invitation?: InvitationMail | null | undefined;
  /** The content of the kind `sign_in_settings_changed`. */
  settingsChange?: SettingsChangeMail | null | undefined;
  at: Date;
};

/** `settings` are names of the API, `by` is the email of a member or the name of a secret key. */
export type SettingsChangeMail = { appId: string; appName: string; settings: string[]; by: string };

/** `appName` is null for an owner of the service; `invitedBy` is an email, `expiresAt` in milliseconds. */
export type InvitationMail = {
  appName: string | null;
  role: Role;
  invitedBy: string;
  link: string;
  expiresAt: number;
};

type Mailed = Pick<App, 'name' | 'settings'>;
type ComposedMail = Pick<Mail, 'fromName' | 'replyTo' | 'subject' | 'text' | 'html' | 'link'>;

export function compose(app: Mailed, about: MailAbout): ComposedMail {
  const { from_name, reply_to } = app.settings.mail;
  const sender = { fromName: withoutLinks(from_name ?? app.name), replyTo: reply_to };
  return { ...sender, ...contentOf(app, about) };
}

/** The words of a mail with their placeholders, from which an app's own text can start, and their language. */
export function wordsOf(
  app: Pick<App, 'settings'>,
  { kind, acceptLanguage }: { kind: CodePurpose | Notice; acceptLanguage: string },
): { language: string; subject: string; button?: string | undefined; text: string } {
  const own = isCode(kind) ? ownText(app, kind, acceptLanguage) : null;
  if (own) return own;
  const language = builtInLanguage(acceptLanguage);
  const { subject, paragraphs } = builtInWords[language][kind];
  return { language, subject, text: paragraphs.join('\n\n') };
}

function contentOf(app: Mailed, about: MailAbout): Omit<ComposedMail, 'fromName' | 'replyTo'> {
  const { kind, at } = about;
  const language = builtInLanguage(about.acceptLanguage);
  const appName = withoutLinks(app.name);
  if (isCode(kind)) return codeMail(app, { ...about, kind }, language);
  if (kind === 'invitation') {
    const invitation = required(about.invitation, kind);
    const { link } = invitation;
    const words = builtInWords[language];
    const text = words[invitation.appName === null ? 'owner_invitation' : 'invitation'];
    const label = words.invitationLink;
    return {
      ...layOut({
        language,
        ...inWords(language, text, invitationValues(invitation, language)),
        link,
        label,
      }),
      link,
    };
  }
  const values =
    kind === 'sign_in_settings_changed'
      ? settingsChangeValues(about)
      : {
          app: appName,
          ...(kind.startsWith('provider_') && { service: required(about.service, kind) }),
          ...(kind === 'new_device' && { device: withoutLinks(required(about.device, kind)) }),
        };
  const words = inWords(language, builtInWords[language][kind], { ...values, when: timeIn(language, at) });
  const { branding } = app.settings.mail;
  return { ...layOut({ language, ...words, branding }), link: undefined };
}

function codeMail(app: Mailed, about: MailAbout & { kind: CodePurpose }, builtIn: MailLanguage) {
  const { kind, email, acceptLanguage } = about;
  const code = required(about.code, kind);
  const { deep_link, mail } = app.settings;
  const { branding } = mail;
  const link = kind === 'sign_in' && deep_link !== null ? magicLink(deep_link, email, code) : undefined;
  const values = { app: withoutLinks(app.name), code, minutes: String(limits.codeSeconds / 60) };
  const own = ownText(app, kind, acceptLanguage);
  if (own) {
    const { language } = own;
    const subject = oneLine(
      filled(own.subject.includes('{{code}}') ? own.subject : `{{code}} · ${own.subject}`, values),
    );
    const paragraphs = own.text
      .split(/(?:\r?\n){2,}/)
      .flatMap((paragraph) => filled(paragraph, isolatedIn(language, values)).trim() || []);
    const ownButton = own.button && filled(own.button, isolatedIn(language, values));
    const label =
      ownButton ?? branding.button ?? signInLabel(chosenLanguage(language, mailLanguages), values);
    return { ...layOut({ language, subject, paragraphs, label, code, link, branding }), link };
  }
  const words = builtInWords[builtIn];
  const label = branding.button ?? signInLabel(builtIn, values);
  const parts = { language: builtIn, ...inWords(builtIn, words[kind], values), label, code, link, branding };
  return { ...layOut(parts), link };
}

/** An app's own text may be in a language without built-in words: the app's name needs no translation. */
function signInLabel(language: MailLanguage | null | undefined, values: { app: string }): string {
  return language ? filled(builtInWords[language].signInLink, isolatedIn(language, values)) : values.app;
}

/**
 * The app's own text in a language that the reader accepts, or in English. Null if the built-in words apply, in which more
 * languages are available.
 */
function ownText(app: Pick<App, 'settings'>, kind: CodePurpose, acceptLanguage: MailAbout['acceptLanguage']) {
  const texts = new Map(Object.entries(app.settings.mail.texts[kind] ?? {}));
  const english = [...texts.keys()].find((tag) => tag.toLowerCase() === 'en') ?? 'en';
  const language = chosenLanguage(acceptLanguage ?? undefined, [...texts.keys(), english]) ?? english;
  const own = texts.get(language);
  if (!own) return null;
  return { language, ...own };
}

function builtInLanguage(acceptLanguage: MailAbout['acceptLanguage']): MailLanguage {
  return chosenLanguage(acceptLanguage ?? undefined, mailLanguages) ?? 'en';
}

function invitationValues(invitation: InvitationMail, language: MailLanguage) {
  const { appName, role, invitedBy, expiresAt } = invitation;
  return {
    app: withoutLinks(appName ?? ''),
    role,
    inviter: oneLine(invitedBy),
    when: timeIn(language, new Date(expiresAt)),
  };
}

function settingsChangeValues({ settingsChange, kind }: MailAbout) {
  const { appName, settings, by } = required(settingsChange, kind);
  return { app: withoutLinks(appName), settings: settings.join(', '), by: oneLine(by) };
}

function inWords(language: MailLanguage, { subject, paragraphs }: MailText, values: Record<string, string>) {
  const inText = isolatedIn(language, values);
  return { subject: filled(subject, values), paragraphs: paragraphs.map((text) => filled(text, inText)) };
}

/** In a line from right to left, the parts of "10:00 UTC: sign_up" would otherwise change places. */
function isolatedIn(language: string, values: Record<string, string>): Record<string, string> {
  if (directionOf(language) === 'ltr') return values;
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, `\u2068${value}\u2069`]));
}

function required<T>(value: T | null | undefined, kind: MailKind): T {
  if (value === null || value === undefined) throw new Error(`a mail of the kind ${kind} lacks its content`);
  return value;
}

export function isCode(kind: MailKind): kind is CodePurpose {
  return (mailPurposes as readonly string[]).includes(kind);
}

/** The 24-hour clock and European digits in every language: a time is compared with others, and is in UTC. */
function timeIn(language: MailLanguage, at: Date): string {
  const locale = language === 'en' ? 'en-GB' : language;
  const options = { timeZone: 'UTC', hourCycle: 'h23', numberingSystem: 'latn' } as const;
  return `${at.toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short', ...options })} UTC`;
}
