// How a mail leaves: over SMTP, into the development mailbox, or not at all. Which of them, the environment says.
import type { Config } from '../env.js';
import type { Logger } from './logger.js';
import { type Mailbox, mailboxMailer } from './mailbox.js';
import { smtpMailer } from './smtp-mailer.js';

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

export function mailerOf(config: Config, logger: Logger): Mailer {
  if (config.smtp) return checked(smtpMailer(config.smtp));
  if (config.databaseUrl === undefined) return checked(mailboxMailer());
  logger.warn('SMTP_URL is not set: no mail can be sent, and whatever has to send one answers 503');
  return {
    available: false,
    mailbox: null,
    send: async () => {
      throw new Error('SMTP_URL is not set');
    },
    close: () => {},
  };
}

/** What could add a recipient or a header is refused before any transport sees it. */
function checked(mailer: Mailer): Mailer {
  return {
    ...mailer,
    async send(mail) {
      if (!isOneAddress(mail.to) || (mail.replyTo !== null && !isOneAddress(mail.replyTo))) {
        throw new MailRefusedError('not the address of one recipient');
      }
      if (/\p{Cc}/u.test(`${mail.subject}${mail.fromName}`)) {
        throw new MailRefusedError('a header would have a control character in it');
      }
      await mailer.send(mail);
    },
  };
}

function isOneAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s\p{Cc}"(),:;<>@[\\\]]+@[^\s\p{Cc}"(),:;<>@[\\\]]+$/u.test(text);
}
