// Composes subject, text and HTML of a mail in the app's name. The code comes first, so that notifications show it and
// phones can fill it in. Of the request, only the reader's language is used.
import { magicLink, type Role } from '@foyer/contract';
import type { Mail } from '../lib/mail/mail.js';
import { oneLine } from '../lib/one-line.js';
import type { App } from '../model/app.js';
import { chosenLanguage } from './language.js';
import { layOut } from './layout.js';
import {
  type CodePurpose,
  codeWords,
  invitationWords,
  type MailKind,
  type Notice,
  noticeWords,
  type Words,
} from './texts.js';

export type MailAbout = {
  kind: MailKind;
  email: string;
  code?: string | null | undefined;
  acceptLanguage?: string | null | undefined;
  /** The provider of a linked account. */
  service?: string | undefined;
  /** For the kind `invitation`. */
  invitation?: InvitationMail | null | undefined;
  at: Date;
};

/** `appName` is null for an owner of the service; `invitedBy` is an email, `expiresAt` in milliseconds. */
export type InvitationMail = {
  appName: string | null;
  role: Role;
  invitedBy: string;
  link: string;
  expiresAt: number;
};

type ComposedMail = Pick<Mail, 'fromName' | 'replyTo' | 'subject' | 'text' | 'html' | 'link'>;

export function compose(app: Pick<App, 'name' | 'settings'>, about: MailAbout): ComposedMail {
  const appName = oneLine(app.name);
  const { from_name, reply_to } = app.settings.mail;
  const sender = { fromName: oneLine(from_name ?? app.name), replyTo: reply_to };
  if (about.kind === 'invitation') return { ...sender, ...invitationOf(about.invitation) };
  if (isNotice(about.kind)) {
    const words = noticeWords[about.kind](appName, wordsOf(about.at), about.service ?? 'another service');
    return { ...sender, ...layOut({ language: 'en', ...words }), link: undefined };
  }

  const { code } = about;
  if (!code) throw new Error(`a mail of the kind ${about.kind} needs a code`);
  const { deep_link } = app.settings;
  const link =
    about.kind === 'sign_in' && deep_link !== null ? magicLink(deep_link, about.email, code) : undefined;
  const own = customTexts(app, about.kind, about.acceptLanguage);
  const words = own ?? { language: 'en', ...codeWords[about.kind](appName) };
  const subject = `${code}${own ? ' ·' : ''} ${words.subject}`;
  // The app's name as the label of the link needs no translation.
  const label = own ? appName : `Sign in to ${appName}`;
  return { ...sender, ...layOut({ ...words, subject, label, code, link }), link };
}

/** The app's own texts for the reader's language; null if the built-in English texts apply. */
function customTexts(
  app: Pick<App, 'settings'>,
  kind: CodePurpose,
  acceptLanguage: string | null | undefined,
): (Words & { language: string }) | null {
  const texts = new Map(Object.entries(app.settings.mail.texts[kind] ?? {}));
  const english = [...texts.keys()].find((tag) => tag.toLowerCase() === 'en') ?? 'en';
  const language = chosenLanguage(acceptLanguage ?? undefined, [...texts.keys(), english]) ?? english;
  const own = texts.get(language);
  if (!own) return null;
  return {
    language,
    subject: oneLine(own.subject),
    paragraphs: own.text.split(/(?:\r?\n){2,}/).flatMap((paragraph) => paragraph.trim() || []),
  };
}

function invitationOf(invitation: MailAbout['invitation']) {
  if (!invitation) throw new Error('a mail of the kind invitation needs the invitation');
  const { appName, role, invitedBy, link, expiresAt } = invitation;
  const about = { app: appName && oneLine(appName), role, invitedBy: oneLine(invitedBy) };
  const words = invitationWords(about, wordsOf(new Date(expiresAt)));
  return { ...layOut({ language: 'en', ...words, link, label: 'Accept the invitation' }), link };
}

function isNotice(kind: MailKind): kind is Notice {
  return kind in noticeWords;
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });

function wordsOf(at: Date): string {
  return `${day.format(at)} at ${time.format(at)} UTC`;
}
