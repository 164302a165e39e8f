// The door of the engine: sends a mail by SMTP, or keeps it during development. README.md says what it promises.
export { type Mail, type Mailer, MailRefusedError, smtpConnections } from './mail.js';
export { mailerOf } from './mailer.js';
export type { SmtpOptions } from './smtp-mailer.js';
