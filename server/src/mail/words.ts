// The mails that the service sends, and the form of their words: a file of languages/ holds those of one language.
import type { mailNotices, mailPurposes } from '@foyer/contract';

export type CodePurpose = (typeof mailPurposes)[number];
export type Notice = (typeof mailNotices)[number];
export type MailKind = CodePurpose | Notice | 'invitation' | 'sign_in_settings_changed';

/** A mail to the owners of the service has words of its own, because it names no app. */
type WordsName = MailKind | 'owner_invitation';

/** Words with placeholders such as `{{app}}`: those of the English words, each of them. */
export type MailText = { readonly subject: string; readonly paragraphs: readonly [string, ...string[]] };

export type MailWords = Readonly<Record<WordsName, MailText>> & {
  /** The label of the magic link. */
  readonly signInLink: string;
  /** The label of the link of an invitation. */
  readonly invitationLink: string;
};

type Values = Readonly<Record<string, string>>;

/** Replaces placeholders in one pass, so that a value is never read as a placeholder. An unknown one stays as it is. */
export function filled(text: string, values: Values): string {
  return text.replace(/\{\{([a-z]+)\}\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? (values[name] as string) : placeholder,
  );
}
