// The types of a mail and its transport.

export type Mail = {
  /** The same in every attempt, so that servers can detect duplicates. */
  id: string;
  /** One bare email address; never a list, never with a name. */
  to: string;
  fromName: string;
  replyTo: string | null;
  subject: string;
  text: string;
  html: string;
  /** The code, for the development mailbox. */
  code?: string | undefined;
  link?: string | undefined;
  at: Date;
};

export type Mailer = {
  /** False without a transport: every send then fails. */
  readonly available: boolean;
  /** Resolves when the server accepts the mail. Throws `MailRefusedError` if a retry is pointless. */
  send(mail: Mail): Promise<void>;
  /** The latest mails, newest first, optionally to one email address. Null if mails are really sent. */
  readonly mailbox: { mails(to?: string): Mail[] } | null;
  close(): void;
};

/** Here and not beside the SMTP transport, which is loaded only where it is used. */
export const smtpConnections = 5;

/** The recipient or the content was refused permanently. */
export class MailRefusedError extends Error {
  override name = 'MailRefusedError';
}
