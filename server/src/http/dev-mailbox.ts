// /dev/mailbox shows unsent mail to the developer. It exists only if no mail can be sent and BASE_URL is a loopback host. It
// contains codes that open accounts, so it responds only to those who know the secret that the start prints: a proxy on this
// machine connects from loopback too, and may send a Host of its own. `foyer dev`, which is behind no proxy, requires none.
// Clients and the Host header must be loopback in any case; DNS rebinding cannot send one.
import { timingSafeEqual } from 'node:crypto';
import { type NextFunction, type Request, type Response, Router } from 'express';
import type { Mail, Mailer } from '../../engines/mailer/index.js';
import type { Deps } from '../deps.js';
import { sha256 } from '../lib/crypto/digest.js';
import { isLoopbackHost } from '../lib/loopback-host.js';
import { timestamp } from '../lib/timestamp.js';
import { frameSandbox, mailboxPage, mailboxScript, mailboxStyle } from './dev-mailbox-page.js';
import { leaveOptions } from './no-such-route.js';

export const mailboxPath = '/dev/mailbox';

/**
 * The secret of the page; null if it requires none. Derived, so that the link works after a restart, and another key of the
 * installation ends it.
 */
export function mailboxSecret({ config, keyRing }: Pick<Deps, 'config' | 'keyRing'>): string | null {
  if (config.openMailbox) return null;
  return keyRing.derive(keyRing.currentKeyId, 'development mailbox').toString('base64url');
}

/** The URL at which the developer reads the mails of a service at `url`. */
export function mailboxUrl(deps: Pick<Deps, 'config' | 'keyRing'>, url: string): string {
  const secret = mailboxSecret(deps);
  return secret === null ? `${url}${mailboxPath}` : `${url}${mailboxPath}?secret=${secret}`;
}

/** Mounted at `mailboxPath`. */
export function devMailbox(mailbox: NonNullable<Mailer['mailbox']>, secret: string | null): Router {
  const pages = Router({ caseSensitive: true, strict: true });
  pages.use(leaveOptions, thisMachineAlone, secretAlone(secret));

  pages.get('/', (req, res) => {
    const to = filterOf(req);
    const mails = mailbox.mails(to);
    res.vary('Accept');
    if (req.accepts(['html', 'json']) === 'json') {
      return void res.json({ data: { items: mails.map(serializeMail) } });
    }
    res.set('Content-Security-Policy', pagePolicy).send(mailboxPage({ mails, to, secret }));
  });
  pages.get('/page.css', (_req, res) => void res.type('css').send(mailboxStyle));
  pages.get('/page.js', (_req, res) => void res.type('js').send(mailboxScript));
  pages.get('/:id', (req, res) => {
    const to = filterOf(req);
    const mails = mailbox.mails(to);
    const open = mailbox.mails().find((mail) => mail.id === req.params.id);
    res.status(open ? 200 : 404).set('Content-Security-Policy', pagePolicy);
    res.send(mailboxPage({ mails, to, secret, open: open ?? 'gone' }));
  });
  pages.get('/:id/html', (req, res, next) => {
    const mail = mailbox.mails().find(({ id }) => id === req.params.id);
    if (!mail) return next();
    res.set('Content-Security-Policy', mailPolicy).type('html').send(mail.html);
  });
  return pages;
}

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const mailPolicy = `sandbox ${frameSandbox}; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'`;

/** Answers all other requests as if the page did not exist. */
function thisMachineAlone(req: Request, res: Response, next: NextFunction) {
  const forwarded = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];
  if (
    !isLoopbackHost(req.socket.remoteAddress ?? '') ||
    !isLoopbackHost(hostOf(req)) ||
    // A local proxy forwards requests of remote clients.
    forwarded.some((name) => req.headers[name] !== undefined)
  ) {
    return next('router');
  }
  res.set({
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
  next();
}

/**
 * Requires the parameter `secret` or the header `X-Mailbox-Secret`, and answers as if the page did not exist without
 * it.
 */
function secretAlone(secret: string | null) {
  const expected = secret === null ? null : sha256(secret);
  return (req: Request, _res: Response, next: NextFunction) => {
    const sent = req.query.secret ?? req.headers['x-mailbox-secret'];
    const isRight = typeof sent === 'string' && expected !== null && timingSafeEqual(sha256(sent), expected);
    return expected === null || isRight ? next() : next('router');
  };
}

function hostOf(req: Request): string {
  return (req.headers.host ?? '').toLowerCase().replace(/:\d+$/, '');
}

function filterOf(req: Request): string | undefined {
  const { to } = req.query;
  return typeof to === 'string' && to.trim() !== '' ? to.trim().toLowerCase() : undefined;
}

function serializeMail(mail: Mail) {
  const { to, subject, text, html, code, link, at } = mail;
  return { to, subject, text, html, code: code ?? null, link: link ?? null, sent_at: timestamp(at) };
}
