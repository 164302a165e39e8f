// Budgets of the codes mailed to one email (conventions of the API, "Mail"). The app key is public, so an attacker can request
// codes for any email: that slows down the mails to it, but never blocks them.
import { type Count, hashed, type LimitedApp, subjectsOf, windowsOf } from './limit-windows.js';
import type { Window } from './memory-windows.js';

export type CodeMail = {
  /** Each kind of code has budgets of its own. */
  kind: string;
  email: string;
  ipAddress: string | null;
};

export type MailVerdict = {
  isAllowed: boolean;
  /** True for the mail that exhausts the total of the day: further ones are slowed down. */
  reachedTotal: boolean;
  /** The windows that counted the mail; of one that is not allowed, those that refused it. */
  windows: readonly Window[];
};

export async function consumeMail(count: Count, app: LimitedApp, mail: CodeMail): Promise<MailVerdict> {
  const mailbox = hashed(`${mail.kind} ${mailboxOf(mail.email)}`);
  const byNetwork = subjectsOf(mail, mailbox);
  const sent = [
    ...windowsOf('code-send-email-ip-pause', app, byNetwork),
    ...windowsOf('code-send-email-ip', app, byNetwork),
  ];
  const day = windowsOf('code-send-email-ip-day', app, byNetwork);
  // First: of windows with the same remainder the first is reported, and exhausting the total is audited.
  const total = windowsOf('code-send-email', app, [mailbox]);

  let windows = [...total, ...day, ...sent];
  let state = await count(windows);
  if (state.remaining < 0 && state.policy === 'code-send-email-ip-day') {
    windows = [...total, ...sent];
    state = await count(windows);
  }
  if (state.remaining < 0 && state.policy === 'code-send-email') {
    const slow = (lane: string) => windowsOf('code-send-email-slow', app, [`${mailbox} ${lane}`]);
    // Networks with many requests have their own lane: they would otherwise exhaust the slow one before the owner.
    windows = [...day, ...sent, ...slow('seldom')];
    state = await count(windows);
    if (state.remaining < 0 && state.policy === 'code-send-email-ip-day') {
      windows = [...sent, ...slow('often')];
      state = await count(windows);
    }
  }
  return {
    isAllowed: state.remaining >= 0,
    reachedTotal: state.policy === 'code-send-email' && state.remaining === 0,
    windows,
  };
}

/** Only for these counts: most mail servers deliver `name+tag@host` to `name@host`. */
function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const plus = email.indexOf('+');
  return plus > 0 && plus < at ? email.slice(0, plus) + email.slice(at) : email;
}
