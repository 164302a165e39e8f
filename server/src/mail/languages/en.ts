// English.
import type { MailWords } from '../words.js';

const lifetime = 'It works once, within {{minutes}} minutes.';
const keepIt = 'Never share the code with anybody.';
const newPassword = 'open {{app}}, request a password reset, and enter the code that we email to you';
const nothingToDo = 'If that was you, there is nothing to do.';
const signsOut = 'This also signs out every device.';
const shareNoLink =
  'If you did not expect this, ignore this mail: nothing changes without the link. Do not share the link, because anyone who ' +
  'has it can accept the invitation.';

export const en: MailWords = {
  sign_in: {
    subject: '{{code}} is your sign-in code for {{app}}',
    paragraphs: [
      `This is your code to sign in to {{app}}. ${lifetime}`,
      `If you did not ask for it, ignore this mail: nobody can sign in without the code. ${keepIt}`,
    ],
  },
  reset: {
    subject: '{{code}} is your code to set a new password for {{app}}',
    paragraphs: [
      `This is your code to set a new password for your {{app}} account. ${lifetime}`,
      `If you did not ask for it, ignore this mail: your password stays as it is. ${keepIt}`,
    ],
  },
  verification: {
    subject: '{{code}} is your code to confirm your email for {{app}}',
    paragraphs: [
      `This is your code to confirm the email of your {{app}} account. ${lifetime}`,
      `If you have no {{app}} account, ignore this mail. ${keepIt}`,
    ],
  },
  email_change: {
    subject: '{{code}} is your code to use this email with {{app}}',
    paragraphs: [
      `This is your code to change the email of your {{app}} account to this one. ${lifetime}`,
      `If you did not ask for it, ignore this mail: nothing changes without the code. ${keepIt}`,
    ],
  },
  password_changed: {
    subject: 'Your {{app}} password was changed',
    paragraphs: [
      'The password of your {{app}} account was changed on {{when}}.',
      `${nothingToDo} If not, set a new one at once: ${newPassword}. ${signsOut}`,
    ],
  },
  email_changed: {
    subject: 'The email of your {{app}} account was changed',
    paragraphs: [
      'The email of your {{app}} account was changed from this one to another on {{when}}.',
      `${nothingToDo} If not, contact {{app}} at once.`,
    ],
  },
  provider_linked: {
    subject: 'A new way to sign in to your {{app}} account',
    paragraphs: [
      'An account at {{service}} was linked to your {{app}} account on {{when}}. It can be used to sign in from now on.',
      `${nothingToDo} If not, unlink it in {{app}} and set a new password: ${newPassword}.`,
    ],
  },
  provider_unlinked: {
    subject: 'A way to sign in to your {{app}} account was removed',
    paragraphs: [
      'The account at {{service}} was unlinked from your {{app}} account on {{when}}. It can no longer be used to sign in.',
      `${nothingToDo} If not, set a new password at once: ${newPassword}. ${signsOut}`,
    ],
  },
  passkey_added: {
    subject: 'A passkey was added to your {{app}} account',
    paragraphs: [
      'A passkey was added to your {{app}} account on {{when}}. It can be used to sign in from now on.',
      `${nothingToDo} If not, remove it in {{app}} and set a new password: ${newPassword}.`,
    ],
  },
  passkey_removed: {
    subject: 'A passkey was removed from your {{app}} account',
    paragraphs: [
      'A passkey of your {{app}} account was removed on {{when}}. It can no longer be used to sign in.',
      `${nothingToDo} If not, set a new password at once: ${newPassword}. ${signsOut}`,
    ],
  },
  second_factor_enrolled: {
    subject: 'An authenticator app was added to your {{app}} account',
    paragraphs: [
      'An authenticator app was added to your {{app}} account on {{when}}. From now on every sign-in needs a code of it.',
      'Keep the recovery codes where you find them without your phone. ' +
        `If that was not you, set a new password at once (${newPassword}), and contact {{app}}.`,
    ],
  },
  second_factor_removed: {
    subject: 'The authenticator app of your {{app}} account was removed',
    paragraphs: [
      'The authenticator app and the recovery codes of your {{app}} account were removed on {{when}}. Signing in no longer ' +
        'needs a code of it.',
      `If you did not expect this, set a new password at once: ${newPassword}. ${signsOut} Then add the authenticator app again.`,
    ],
  },
  recovery_code_used: {
    subject: 'A recovery code of your {{app}} account was used',
    paragraphs: [
      'A recovery code was used to confirm your identity for your {{app}} account on {{when}}. It does not work a second time.',
      'If that was you and you have lost your authenticator app, remove it in {{app}} and add another. If it was not you, set a ' +
        `new password at once: ${newPassword}.`,
    ],
  },
  new_device: {
    subject: 'A new device signed in to your {{app}} account',
    paragraphs: [
      'On {{when}} a device that was not known signed in to your {{app}} account: {{device}}.',
      `${nothingToDo} If not, set a new password at once: ${newPassword}. ${signsOut}`,
    ],
  },
  export_ready: {
    subject: 'The data of your {{app}} account is ready',
    paragraphs: [
      'The export of the data of your {{app}} account was completed on {{when}}. You can download it in {{app}} for seven days.',
      `If you did not ask for it, set a new password at once: ${newPassword}. ${signsOut}`,
    ],
  },
  account_deleted: {
    subject: 'Your {{app}} account was deleted',
    paragraphs: [
      'Your {{app}} account and its data were deleted on {{when}}. They cannot be restored.',
      'If that was not you, contact {{app}} at once. You can create a new account with this email.',
    ],
  },
  unproven_removed: {
    subject: 'Your {{app}} account was secured',
    paragraphs: [
      'On {{when}} a code that we emailed to you was used for your {{app}} account for the first time. This confirmed that ' +
        'the email is yours. We removed what was added before, because somebody else may have added it: linked services, ' +
        'passkeys, signed-in devices and, in most cases, the password.',
      `If your password no longer works, set a new one: ${newPassword}.`,
    ],
  },
  invitation: {
    subject: 'You are invited to the team of {{app}}',
    paragraphs: [
      '{{inviter}} invited you to the team of {{app}}, as {{role}}. The link works once, until {{when}}.',
      shareNoLink,
    ],
  },
  owner_invitation: {
    subject: 'You are invited to become an owner of the service',
    paragraphs: [
      '{{inviter}} invited you to manage this service as an owner of all its apps. The link works once, until {{when}}.',
      shareNoLink,
    ],
  },
  sign_in_settings_changed: {
    subject: 'The sign-in settings of {{app}} were changed',
    paragraphs: [
      '{{by}} changed these settings of the app {{app}} on {{when}}: {{settings}}.',
      'They decide who can sign in and where codes are sent. If you did not expect this change, check the settings and ' +
        'the audit log of the app, and remove the member or revoke the secret key.',
    ],
  },
  signInLink: 'Sign in to {{app}}',
  invitationLink: 'Accept the invitation',
};
