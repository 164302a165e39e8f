// SMTP transport: a connection pool with timeouts; distinguishes permanent from temporary failures.
import { createTransport } from 'nodemailer';
import { type Mail, type Mailer, MailRefusedError, smtpConnections } from './mail.js';
import { judgeRefusal } from './refusal-rules.js';

export type SmtpOptions = {
  url: string;
  /** The email address of the sender. */
  from: string;
  timeouts?: Partial<typeof defaultTimeouts>;
};

/** The timeouts in milliseconds. `send` bounds the whole transfer. */
const defaultTimeouts = { connection: 10_000, greeting: 10_000, socket: 20_000, send: 45_000 };

export function smtpMailer(options: SmtpOptions): Mailer {
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const domain = options.from.slice(options.from.lastIndexOf('@') + 1);
  const transport = createTransport({
    url: withImplicitTls(options.url),
    // The client in EHLO: strict servers refuse the host name of a container. `name` in the URL has precedence.
    name: domain,
    pool: true,
    maxConnections: smtpConnections,
    // The job queue retries; the pool does so only if no byte of the mail was sent.
    maxRequeues: 1,
    idleTimeout: 30_000,
    connectionTimeout: timeouts.connection,
    greetingTimeout: timeouts.greeting,
    dnsTimeout: timeouts.connection,
    socketTimeout: timeouts.socket,
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  return {
    available: true,
    mailbox: null,
    async send(mail) {
      try {
        await transport.sendMail({
          ...contentOf(mail),
          messageId: `<${mail.id}@${domain}>`,
          from: { name: mail.fromName, address: options.from },
          // An explicit envelope, so that recipients never depend on header parsing.
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

/** At port 465 TLS comes first (RFC 8314): with `smtp:` both sides would wait for the other. */
export function withImplicitTls(url: string): string {
  return new URL(url).port === '465' ? url.replace(/^smtp:/i, 'smtps:') : url;
}

function contentOf(mail: Mail) {
  return {
    to: { name: '', address: mail.to },
    ...(mail.replyTo !== null && { replyTo: { name: '', address: mail.replyTo } }),
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: mail.at,
    // Suppresses automatic replies.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
}

type SmtpError = Error & { code?: string; command?: string; response?: string; responseCode?: number };

function refusalOf(error: SmtpError): Error {
  const { code, command, response, responseCode } = error;
  const answer = [code, command, withoutAddresses(response ?? error.message)].filter(Boolean).join(' ');
  if (judgeRefusal({ command, responseCode, response: response ?? '' }) === 'final') {
    return new MailRefusedError(`the mail server refused the mail: ${answer}`);
  }
  return new Error(`the mail server did not take the mail: ${answer}`);
}

/** Server responses are logged, without email addresses. */
function withoutAddresses(text: string): string {
  return text
    .replace(/<[^>]*>/g, '<address>')
    .replace(/[^\s<>"'()]+@[^\s<>"'()]+/g, '<address>')
    .slice(0, 300);
}
