// What a mail is, and what it takes to send one.

export type Mail = {
  /** The same however often it is tried: a server that got it twice can tell. */
  id: string;
  /** One address, as it is; never a list, never a name with it. */
  to: string;
  fromName: string;
  replyTo: string | null;
  subject: string;
  text: string;
  html: string;
  /** What the mail is about, for the development mailbox. */
  code?: string | undefined;
  link?: string | undefined;
  at: Date;
};

export type Mailer = {
  /** False where no mail can leave: every send is then refused alike. */
  readonly available: boolean;
  /** Resolves when the mail was taken. Throws `MailRefusedError` where another try is pointless. */
  send(mail: Mail): Promise<void>;
  /** Null where mail really leaves. */
  readonly mailbox: Mailbox | null;
  close(): void;
};

/** This mail will never be taken: its recipient or its content was refused for good. */
export class MailRefusedError extends Error {
  override name = 'MailRefusedError';
}

export type Mailbox = {
  /** The latest mails, newest first; those to one address where it is given. */
  mails(to?: string): Mail[];
};
