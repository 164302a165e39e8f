// The English texts of mails. An app can replace those of codes, in its readers' languages; notices are fixed, since they
// concern the security of the account.
import { limits, type mailPurposes, type Role } from '@foyer/contract';

export type CodePurpose = (typeof mailPurposes)[number];
export type Notice =
  | 'password_changed'
  | 'email_changed'
  | 'provider_linked'
  | 'provider_unlinked'
  | 'unproven_removed'
  | 'account_deleted';
export type MailKind = CodePurpose | Notice | 'invitation';

export type Words = { subject: string; paragraphs: string[] };

const lifetime = `It works once, within ${limits.codeSeconds / 60} minutes.`;
const keepIt = 'Never give it to anybody, whoever asks.';

export const codeWords: Record<CodePurpose, (app: string) => Words> = {
  sign_in: (app) => ({
    subject: `is your sign-in code for ${app}`,
    paragraphs: [
      `This is your code to sign in to ${app}. ${lifetime}`,
      `If you did not ask for it, ignore this mail: nobody gets in without the code. ${keepIt}`,
    ],
  }),
  reset: (app) => ({
    subject: `is your code to set a new password for ${app}`,
    paragraphs: [
      `This is your code to set a new password for your ${app} account. ${lifetime}`,
      `If you did not ask for it, ignore this mail: your password stays as it is. ${keepIt}`,
    ],
  }),
  verification: (app) => ({
    subject: `is your code to confirm your email for ${app}`,
    paragraphs: [
      `This is your code to confirm that your ${app} account may use this email. ${lifetime}`,
      `If you have no account there, ignore this mail. ${keepIt}`,
    ],
  }),
  email_change: (app) => ({
    subject: `is your code to use this email with ${app}`,
    paragraphs: [
      `This is your code to make this the email of your ${app} account. ${lifetime}`,
      `If you did not ask for it, ignore this mail: nothing changes without the code. ${keepIt}`,
    ],
  }),
};

const newPassword = (app: string) =>
  `open ${app}, choose that you forgot your password, and use the code that is then emailed to you`;

export const noticeWords: Record<Notice, (app: string, when: string, service: string) => Words> = {
  password_changed: (app, when) => ({
    subject: `Your ${app} password was changed`,
    paragraphs: [
      `The password of your ${app} account was changed on ${when}.`,
      `If that was you, there is nothing to do. If not, set a new one at once: ${newPassword(app)}. ` +
        'It also signs out every device.',
    ],
  }),
  email_changed: (app, when) => ({
    subject: `The email of your ${app} account was changed`,
    paragraphs: [
      `Your ${app} account got another email on ${when}, and no longer belongs to this one.`,
      `If that was you, there is nothing to do. If not, tell the people behind ${app} at once.`,
    ],
  }),
  provider_linked: (app, when, service) => ({
    subject: `A new way to sign in to your ${app} account`,
    paragraphs: [
      `An account at ${service} was linked to your ${app} account on ${when}, and can sign in to it now.`,
      `If that was you, there is nothing to do. If not, remove the link in ${app}, and set a new password: ` +
        `${newPassword(app)}.`,
    ],
  }),
  provider_unlinked: (app, when, service) => ({
    subject: `A way to sign in to your ${app} account was removed`,
    paragraphs: [
      `The account at ${service} was unlinked from your ${app} account on ${when}, and can no longer sign in to it.`,
      `If that was you, there is nothing to do. If not, set a new password at once: ${newPassword(app)}. ` +
        'It also signs out every device.',
    ],
  }),
  account_deleted: (app, when) => ({
    subject: `Your ${app} account was deleted`,
    paragraphs: [
      `Your ${app} account was deleted on ${when}, with its data. It cannot be brought back.`,
      `If that was not you, tell the people behind ${app} at once. This email may be used for a new account.`,
    ],
  }),
  unproven_removed: (app, when) => ({
    subject: `Your ${app} account is yours alone now`,
    paragraphs: [
      `On ${when} a code that was emailed to this address was used for your ${app} account for the first time. Until ` +
        'then nobody had shown that the account belongs to this address. What had been put on it before may have been ' +
        'put there by somebody else, so it was removed: linked services, the devices that were signed in, and any ' +
        'password that may be theirs.',
      `If no password of yours works now, set one: ${newPassword(app)}.`,
    ],
  }),
};

/** `app` is null for an owner of the service, who owns every app. */
export function invitationWords(
  { app, role, invitedBy }: { app: string | null; role: Role; invitedBy: string },
  until: string,
): Words {
  const team =
    app === null ? 'this service, as an owner of all of its apps' : `the team of ${app}, as ${role}`;
  return {
    subject: app === null ? 'You are invited to own the service' : `You are invited to the team of ${app}`,
    paragraphs: [
      `${invitedBy} invited you to ${team}. The link works once, until ${until}.`,
      'If you did not expect this, ignore the mail: nothing changes without the link. Never pass the link on, ' +
        'because anyone who has it can accept the invitation.',
    ],
  };
}
