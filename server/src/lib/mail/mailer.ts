// How a mail leaves: over SMTP, into the development mailbox, or not at all. Which of them, the environment says.
import type { Logger } from '../logger.js';
import { type Mailer, MailRefusedError } from './mail.js';
import { mailboxMailer } from './mailbox.js';
import { type SmtpOptions, smtpMailer } from './smtp-mailer.js';

type MailSettings = { smtp: SmtpOptions | undefined; devMailbox: boolean };

export function mailerOf(config: MailSettings, logger: Logger): Mailer {
  if (config.smtp) return checked(smtpMailer(config.smtp));
  if (config.devMailbox) return checked(mailboxMailer());
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
