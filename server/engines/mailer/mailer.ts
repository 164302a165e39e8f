// Chooses the mail transport from the environment: SMTP, the development mailbox, or none.
import type { Logger } from '../../src/lib/logger.js';
import { type Mail, type Mailer, MailRefusedError } from './mail.js';
import type { SmtpOptions } from './smtp-mailer.js';

type MailSettings = { smtp: SmtpOptions | undefined; devMailbox: boolean };

/** The size of the development mailbox. */
const maxStoredMails = 200;

export async function mailerOf(config: MailSettings, logger: Logger): Promise<Mailer> {
  if (config.smtp) {
    const { smtpMailer } = await import('./smtp-mailer.js');
    return checked(smtpMailer(config.smtp));
  }
  if (config.devMailbox) return checked(mailboxMailer());
  logger.warn('SMTP_URL is not set: no mail can be sent, and endpoints that send mail answer 503');
  return {
    available: false,
    mailbox: null,
    send: async () => {
      throw new Error('SMTP_URL is not set');
    },
    close: () => {},
  };
}

/** The development mailbox: stores mails in memory instead of sending them. */
function mailboxMailer(): Mailer {
  const mails: Mail[] = [];
  return {
    available: true,
    mailbox: { mails: (to) => mails.filter((mail) => to === undefined || mail.to === to) },
    async send(mail) {
      mails.unshift(mail);
      mails.length = Math.min(mails.length, maxStoredMails);
    },
    close: () => {},
  };
}

/** Refuses recipient and header injection before the transport. */
function checked(mailer: Mailer): Mailer {
  return {
    ...mailer,
    async send(mail) {
      if (!isOneAddress(mail.to) || (mail.replyTo !== null && !isOneAddress(mail.replyTo))) {
        throw new MailRefusedError('not a single email address');
      }
      if (/\p{Cc}/u.test(`${mail.subject}${mail.fromName}`)) {
        throw new MailRefusedError('a header contains a control character');
      }
      await mailer.send(mail);
    },
  };
}

function isOneAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s\p{Cc}"(),:;<>@[\\\]]+@[^\s\p{Cc}"(),:;<>@[\\\]]+$/u.test(text);
}
