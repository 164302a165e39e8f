// The development mailbox: stores mails in memory instead of sending them.
import type { Mail, Mailer } from './mail.js';

const maxMails = 200;

export function mailboxMailer(): Mailer {
  const mails: Mail[] = [];
  return {
    available: true,
    mailbox: {
      mails: (to) => (to === undefined ? [...mails] : mails.filter((mail) => mail.to === to)),
    },
    async send(mail) {
      mails.unshift(mail);
      mails.length = Math.min(mails.length, maxMails);
    },
    close: () => {},
  };
}
