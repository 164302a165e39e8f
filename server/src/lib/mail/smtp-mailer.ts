// Mail over SMTP: a pool of connections, each wait with an end, and what the server answered told apart into "never" and
// "not now".
import { createTransport } from 'nodemailer';
import { type Mail, type Mailer, MailRefusedError } from './mail.js';

export type SmtpOptions = {
  url: string;
  /** The sender's address. */
  from: string;
  timeouts?: Partial<typeof defaultTimeouts>;
};

/** In milliseconds. `send` is the whole of it, whatever a server makes of the others. */
const defaultTimeouts = { connection: 10_000, greeting: 10_000, socket: 20_000, send: 45_000 };

export const smtpConnections = 5;

export function smtpMailer(options: SmtpOptions): Mailer {
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const transport = createTransport({
    url: options.url,
    pool: true,
    maxConnections: smtpConnections,
    // The queue is what tries again; the pool does so only where not a byte of the mail had been sent.
    maxRequeues: 1,
    idleTimeout: 30_000,
    connectionTimeout: timeouts.connection,
    greetingTimeout: timeouts.greeting,
    dnsTimeout: timeouts.connection,
    socketTimeout: timeouts.socket,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = options.from.slice(options.from.lastIndexOf('@') + 1);

  return {
    available: true,
    mailbox: null,
    async send(mail) {
      try {
        await transport.sendMail({
          ...contentOf(mail),
          messageId: `<${mail.id}@${domain}>`,
          from: { name: mail.fromName, address: options.from },
          // What the mail says and where it goes are given apart: no parsing of a header decides about recipients.
          envelope: { from: options.from, to: [mail.to] },
          signal: AbortSignal.timeout(timeouts.send),
        });
      } catch (error) {
        throw refusalOf(error as SmtpError);
      }
    },
    close: () => transport.close(),
  };
}

function contentOf(mail: Mail) {
  return {
    to: { name: '', address: mail.to },
    ...(mail.replyTo !== null && { replyTo: { name: '', address: mail.replyTo } }),
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: mail.at,
    // Nobody is to answer this by a machine: no notices of absence.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
}

type SmtpError = Error & { code?: string; command?: string; response?: string; responseCode?: number };

/** A refusal of the recipient or the content stands; one of the sender or of the login is for the operator to mend. */
function refusalOf(error: SmtpError): Error {
  const { code, command, response, responseCode } = error;
  const answer = [code, command, withoutAddresses(response ?? error.message)].filter(Boolean).join(' ');
  const final = responseCode !== undefined && responseCode >= 500 && responseCode !== 503;
  if (final && (command === 'RCPT TO' || command === 'DATA')) {
    return new MailRefusedError(`the mail server refused the mail: ${answer}`);
  }
  return new Error(`the mail server did not take the mail: ${answer}`);
}

/** What servers say goes into the log, which holds no addresses. */
function withoutAddresses(text: string): string {
  return text
    .replace(/<[^>]*>/g, '<address>')
    .replace(/[^\s<>"'()]+@[^\s<>"'()]+/g, '<address>')
    .slice(0, 300);
}
