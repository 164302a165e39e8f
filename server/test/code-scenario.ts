// The steps that scenarios of emailed codes share: sending, reading the mailbox, and using a code at each endpoint.
import { randomUUID } from 'node:crypto';
import type { AppSettingsPatch, TokenAnswer, User } from '@foyer/contract';
import { expect } from 'vitest';
import type { Mail } from '../engines/mailer/mail.js';
import type { NewApp } from '../src/apps/create-app.js';
import type { MailKind } from '../src/mail/words.js';
import type { Answer, CallOptions, TestService } from './harness.js';

/** What distinguishes the mails for their readers. */
const subjects: Record<MailKind, RegExp> = {
  sign_in: /^\d{6} is your sign-in code for /,
  reset: /^\d{6} is your code to set a new password for /,
  verification: /^\d{6} is your code to confirm your email for /,
  email_change: /^\d{6} is your code to use this email with /,
  password_changed: /^Your .+ password was changed$/,
  email_changed: /^The email of your .+ account was changed$/,
  provider_linked: /^A new way to sign in to /,
  provider_unlinked: /^A way to sign in to your .+ account was removed$/,
  passkey_added: /^A passkey was added to your .+ account$/,
  passkey_removed: /^A passkey was removed from your .+ account$/,
  unproven_removed: / account was secured$/,
  second_factor_enrolled: /^An authenticator app was added to your .+ account$/,
  second_factor_removed: /^The authenticator app of your .+ account was removed$/,
  recovery_code_used: /^A recovery code of your .+ account was used$/,
  new_device: /^A new device signed in to your .+ account$/,
  export_ready: /^The data of your .+ account is ready$/,
  account_deleted: /^Your .+ account was deleted$/,
  invitation: /^You are invited to /,
  sign_in_settings_changed: /^The sign-in settings of .+ were changed$/,
};

export const invalidCode = { status: 422, code: 'auth/invalid-code' };
export const expiredCode = { status: 422, code: 'auth/code-expired' };
export const newPassword = 'a new password of mine';

/** An email that no other test uses. */
export const newEmail = () => `${randomUUID()}@example.com`;

/** Six digits that equal none of these codes. */
export function wrongCode(...codes: string[]): string {
  for (let number = 0; ; number += 1) {
    const code = String(number).padStart(6, '0');
    if (!codes.includes(code)) return code;
  }
}

/** The headers of a client that sends back the flow of an answer. */
export function flowOf(answer: Answer): { headers: Record<string, string> } {
  return { headers: { 'x-code-flow': answer.headers.get('x-code-flow') as string } };
}

export function codeScenario(service: () => TestService) {
  async function mailed(email: string, kind?: MailKind): Promise<Mail[]> {
    const mails = await service().mailbox(email);
    return kind === undefined ? mails : mails.filter((mail) => subjects[kind].test(mail.subject));
  }

  /** The newest code of a kind that was mailed to the email. */
  async function codeOf(email: string, kind: MailKind): Promise<string> {
    const [mail] = await mailed(email, kind);
    if (!mail?.code) throw new Error(`no code of the kind ${kind} was mailed to ${email}`);
    return mail.code;
  }

  const send = (email: string, options: CallOptions = {}) =>
    service().call('POST', '/auth/email-code/send', { ...options, body: { email } });
  const forgot = (email: string, options: CallOptions = {}) =>
    service().call('POST', '/auth/password/forgot', { ...options, body: { email } });
  const verify = (email: string, code: string, { body, ...options }: CallOptions = {}) =>
    service().call<TokenAnswer>('POST', '/auth/email-code/verify', {
      ...options,
      body: { email, code, ...(body as object) },
    });
  const sendVerification = (token: string) =>
    service().call('POST', '/auth/email/verification/send', { token });
  const changeEmail = (token: string, email: string) =>
    service().call('POST', '/me/email', { token, body: { email } });

  async function sent(answer: Answer): Promise<void> {
    expect([answer.status, answer.text]).toEqual([200, '{"data":{"expires_in":600}}']);
  }

  return {
    mailed,
    codeOf,
    send,
    forgot,
    verify,
    sendVerification,
    changeEmail,
    reset: (email: string, code: string, password = newPassword, options: CallOptions = {}) =>
      service().call('POST', '/auth/password/reset', { ...options, body: { email, code, password } }),
    confirm: (token: string, code: string, options: CallOptions = {}) =>
      service().call<User>('POST', '/auth/email/verification/confirm', { ...options, token, body: { code } }),
    reauthenticate: (token: string, proof: object, options: CallOptions = {}) =>
      service().call<Omit<TokenAnswer, 'refresh_token'>>('POST', '/auth/reauthenticate', {
        ...options,
        token,
        body: proof,
      }),
    changePassword: (token: string, body: object) => service().call('PUT', '/me/password', { token, body }),
    deleteAccount: (token: string) => service().call('DELETE', '/me', { token }),

    /** Sends a code that must be sent, and reads it. */
    async signInCode(email: string): Promise<string> {
      await sent(await send(email));
      return codeOf(email, 'sign_in');
    },
    async resetCode(email: string): Promise<string> {
      await sent(await forgot(email));
      return codeOf(email, 'reset');
    },
    async verificationCode(user: { email: string; token: string }): Promise<string> {
      await sent(await sendVerification(user.token));
      return codeOf(user.email, 'verification');
    },
    async changeCode(token: string, email: string): Promise<string> {
      await sent(await changeEmail(token, email));
      return codeOf(email, 'email_change');
    },

    /** Signs in with a code that was just mailed; creates the account if there is none. */
    async signInByCode(email: string, options: CallOptions = {}): Promise<TokenAnswer> {
      await sent(await send(email));
      const answer = await verify(email, await codeOf(email, 'sign_in'), options);
      expect([answer.status, answer.code]).toEqual([200, undefined]);
      return answer.data;
    },

    set: (settings: AppSettingsPatch, app?: NewApp) => service().changeSettings(settings, app),

    /** What an admin may do to an account, done directly in the database. */
    async disable(uid: string): Promise<void> {
      await service().database.prisma.user.updateMany({ where: { id: uid }, data: { disabled: true } });
    },

    userRow: (uid: string) => service().database.prisma.user.findFirstOrThrow({ where: { id: uid } }),
    codeRow: (purpose: MailKind, subject: string) =>
      service().database.prisma.code.findFirst({
        where: { appId: service().app.app.id, purpose, subject },
        orderBy: { id: 'desc' },
      }),
  };
}
