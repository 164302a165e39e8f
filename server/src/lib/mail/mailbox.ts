// The development mailbox: mails are kept in memory for whoever sits at this machine, and never leave it.
import type { Mail, Mailer } from './mail.js';

const kept = 200;

export function mailboxMailer(): Mailer {
  const mails: Mail[] = [];
  return {
    available: true,
    mailbox: {
      mails: (to) => (to === undefined ? [...mails] : mails.filter((mail) => mail.to === to)),
    },
    async send(mail) {
      mails.unshift(mail);
      mails.length = Math.min(mails.length, kept);
    },
    close: () => {},
  };
}
