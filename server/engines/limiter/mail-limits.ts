// Budgets of the codes mailed to one email. The app key is public, so an attacker can request codes for any email: that slows
// down the mails to it, but never blocks them, and never those of a client that has proved an earlier sign-in to the account.
import { hmacSha256 } from '../../src/lib/crypto/digest.js';
import { drawnNetworksOf } from '../../src/lib/ip-network.js';
import { type Count, hashed, isOver, type LimitedApp, subjectsOf, windowsOf } from './limit-windows.js';
import type { Draw } from './memory-draws.js';
import type { Window } from './memory-windows.js';

/** A client that proved an earlier sign-in to the account: by its device, or else its session or flow. */
export type KnownClient = { uid: string; deviceId?: string };

export type CodeMail = {
  /** Each kind of code has budgets of its own. */
  kind: string;
  email: string;
  ip: string | null;
  known?: KnownClient | null;
  /** The user's email is verified: else a stranger may have signed up with it. */
  isVerified?: boolean;
};

export type MailVerdict = {
  isAllowed: boolean;
  /** True for the mail that exhausts the total of the day: further ones are slowed down. */
  reachedTotal: boolean;
  /** The mail is beyond the total of the day. */
  isSlow: boolean;
  /** Where the mail is not allowed: the seconds until one may be. */
  resetSeconds: number;
  /** The windows that counted the mail; of one that is not allowed, those that refused it. */
  windows: readonly Window[];
};

export type Draws = {
  draw(draw: Draw): boolean | Promise<boolean>;
  /** Without it, attackers could predict who is drawn. */
  drawKey: Uint8Array;
  now: Date;
};

/** The senders who share one total: the strangers, or the clients of a user. */
type Sender = {
  pool: string;
  /** The narrowest network first; or the known client. */
  subjects: string[];
  /** What a draw chooses between senders by, compared level by level: widest network first. */
  drawnBy: string[];
};

export async function consumeMail(
  count: Count,
  draws: Draws,
  app: LimitedApp,
  mail: CodeMail,
): Promise<MailVerdict> {
  const sender = senderOf(mail);
  const sent = [
    ...windowsOf('code-send-email-ip-pause', app, sender.subjects),
    ...windowsOf('code-send-email-ip', app, sender.subjects),
  ];
  const day = windowsOf('code-send-email-ip-day', app, sender.subjects);
  // First: of windows with the same remainder the first is reported, and exhausting the total is audited.
  const total = windowsOf('code-send-email', app, [sender.pool]);

  let windows = [...total, ...day, ...sent];
  let state = await count(windows);
  if (isOver(state, 'code-send-email-ip-day')) {
    windows = [...total, ...sent];
    state = await count(windows);
  }
  if (isOver(state, 'code-send-email')) return consumeSlowMail(count, draws, app, sender, { day, sent });
  return {
    isAllowed: state.remaining >= 0,
    reachedTotal: state.policy === 'code-send-email' && state.remaining === 0,
    isSlow: false,
    resetSeconds: state.resetSeconds,
    windows,
  };
}

/** The windows of the mails of a kind: of all strangers or clients together, of one sender, or both. */
export function mailWindowsOf(app: LimitedApp, mail: CodeMail, of: 'total' | 'sender' | 'all'): Window[] {
  const { pool, subjects } = senderOf(mail);
  const total = windowsOf('code-send-email', app, [pool]);
  const sender = (['code-send-email-ip', 'code-send-email-ip-day'] as const).flatMap((policy) =>
    windowsOf(policy, app, subjects),
  );
  return [...(of === 'sender' ? [] : total), ...(of === 'total' ? [] : sender)];
}

/**
 * Beyond the total of the day, a few mails in each period go to those who are drawn from the senders of the period before.
 * First come, first served would let an attacker with many IP addresses take every slot before the owner.
 */
async function consumeSlowMail(
  count: Count,
  { draw, drawKey, now }: Draws,
  app: LimitedApp,
  { pool, subjects, drawnBy }: Sender,
  { day, sent }: { day: Window[]; sent: Window[] },
): Promise<MailVerdict> {
  const policy = 'code-send-email-slow';
  const [slot] = windowsOf(policy, app, [pool]) as [Window];
  const { limit: slots, windowMilliseconds: periodMilliseconds } = slot;
  const period = Math.floor(now.getTime() / periodMilliseconds);
  const [entrant] = subjects as [string];
  // A sender counts once in each period, mailed or not. Those with many requests have a draw of their own.
  const key = `${app.id} ${entrant} ${period}`;
  const request = { policy: 'code-send-request', key, limit: 1, windowMilliseconds: periodMilliseconds };
  const isFrequent = isOver(await count([request, ...day]), 'code-send-email-ip-day');
  const lane = `${pool} ${isFrequent ? 'often' : 'seldom'}`;
  const rank = rankOf(drawKey, `${app.id} ${lane} ${period}`, drawnBy);
  const entry = { key: `${app.id} ${lane}`, entrant, rank, slots, period, periodMilliseconds };
  const windows = [...sent, ...windowsOf(policy, app, [`${lane} ${period}`])];
  const isAllowed = (await draw(entry)) && (await count(windows)).remaining >= 0;
  const resetSeconds = Math.ceil(((period + 1) * periodMilliseconds - now.getTime()) / 1_000);
  return { isAllowed, reachedTotal: false, isSlow: true, resetSeconds, windows };
}

function senderOf({ kind, email, ip, known = null, isVerified = false }: CodeMail): Sender {
  const mailbox = hashed(`${kind} ${mailboxOf(email)}`);
  if (known === null) {
    const pool = mailbox;
    return { pool, subjects: subjectsOf({ ip }, mailbox), drawnBy: drawnNetworksOf(ip) };
  }
  const client = [known.uid, ...(known.deviceId === undefined ? [] : [known.deviceId])];
  // Accounts that strangers made with other tags of the mailbox have one total together, so that it is not flooded by them.
  const pool = `${mailbox} ${isVerified ? known.uid : 'unverified'}`;
  return { pool, subjects: [`${mailbox} ${client.join(' ')}`], drawnBy: client };
}

/** 52 bits: twenty for the first network, sixteen for each of the others. */
function rankOf(drawKey: Uint8Array, draw: string, networks: readonly string[]): number {
  const part = (place: number, bits: number) => {
    const network = networks[place];
    return network === undefined ? 0 : hmacSha256(drawKey, `${draw} ${network}`).readUInt32BE() % 2 ** bits;
  };
  return (part(0, 20) * 2 ** 16 + part(1, 16)) * 2 ** 16 + part(2, 16);
}

/**
 * What notices to an email count for. Strangers can sign up with any number of spellings of one mailbox, so unverified ones count as
 * one; the mailbox itself does not, so that they use up none of its notices.
 */
export function noticeSubject(email: string, isVerified: boolean): string {
  const mailbox = mailboxOf(email);
  return mailbox === email || isVerified ? hashed(email) : `tags ${hashed(mailbox)}`;
}

/**
 * For these counts only: most mail servers deliver `name+tag@host` to `name@host`, and Gmail ignores dots and has two names
 * (https://support.google.com/mail/answer/7436150).
 */
function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const plus = email.indexOf('+');
  const name = email.slice(0, plus > 0 ? plus : at);
  const host = email.slice(at);
  return /^@(gmail|googlemail)\.com$/.test(host) ? `${name.replaceAll('.', '')}@gmail.com` : name + host;
}
