// Every use of an emailed code, for tests of what holds for all of them. Calls come from an IP address of their own unless
// they name one.
import { expect } from 'vitest';
import type { CodePurpose } from '../src/codes/store.js';
import { codeScenario, flowOf, newEmail } from './code-scenario.js';
import type { Answer, CallOptions, TestService } from './harness.js';
import { from, newAddress } from './limited-service.js';

export type CodeDoor = {
  purpose: CodePurpose;
  subject: string;
  /** Mails a code. */
  send(options?: CallOptions): Promise<{ code: string; flow: CallOptions }>;
  use(code: string, options?: CallOptions): Promise<Answer>;
  /** How often a code was accepted, by the database. */
  opened(): Promise<number>;
};

export const works = ({ status }: Answer) => status === 200 || status === 204;

export function codeDoors(service: TestService): [string, () => Promise<CodeDoor>][] {
  const scenario = codeScenario(() => service);
  const events = (uid: string, type: string) => service.database.prisma.event.count({ where: { uid, type } });
  async function sessionsOf(email: string): Promise<number> {
    const { prisma } = service.database;
    const user = await prisma.user.findFirst({ where: { email } });
    return user ? prisma.session.count({ where: { appId: user.appId, uid: user.id } }) : 0;
  }

  function door(
    purpose: CodePurpose,
    subject: string,
    email: string,
    send: (options: CallOptions) => Promise<Answer>,
    use: CodeDoor['use'],
    opened: CodeDoor['opened'],
  ): CodeDoor {
    const owner = newAddress();
    const at = (options: CallOptions = {}) => ({
      ...options,
      headers: { ...from(owner).headers, ...options.headers },
    });
    return {
      purpose,
      subject,
      async send(options) {
        const answer = await send(at(options));
        expect([answer.status, answer.text]).toEqual([200, '{"data":{"expires_in":600}}']);
        return { code: await scenario.codeOf(email, purpose), flow: flowOf(answer) };
      },
      use: (code, options) => use(code, at(options)),
      opened,
    };
  }

  const signIn = (email: string, earlier: number) =>
    door(
      'sign_in',
      email,
      email,
      (options) => scenario.send(email, options),
      (code, options) => scenario.verify(email, code, options),
      async () => (await sessionsOf(email)) - earlier,
    );

  return [
    ['sign-in with an email that has no account', async () => signIn(newEmail(), 0)],
    ['sign-in to an account', async () => signIn((await scenario.signInByCode(newEmail())).user.email, 1)],
    [
      'password reset',
      async () => {
        const { uid, email } = await service.signUp();
        return door(
          'reset',
          email,
          email,
          (options) => scenario.forgot(email, options),
          (code, options) => scenario.reset(email, code, undefined, options),
          () => events(uid, 'user.password_changed'),
        );
      },
    ],
    [
      'verification of the email',
      async () => {
        const { uid, email, tokens } = await service.signUp();
        const token = tokens.access_token;
        return door(
          'verification',
          uid,
          email,
          (options) => service.call('POST', '/auth/email/verification/send', { ...options, token }),
          (code, options) => scenario.confirm(token, code, options),
          () => events(uid, 'user.email_verified'),
        );
      },
    ],
    [
      'change of the email',
      async () => {
        const { uid, tokens, password } = await service.signUp();
        const token = tokens.access_token;
        const email = newEmail();
        return door(
          'email_change',
          uid,
          email,
          async (options) => {
            // The clock advances between sends, and this one requires a recent sign-in.
            await scenario.reauthenticate(token, { password }, options);
            return service.call('POST', '/me/email', { ...options, token, body: { email } });
          },
          (code, options) => scenario.confirm(token, code, options),
          () => events(uid, 'user.updated'),
        );
      },
    ],
    [
      'reauthentication',
      async () => {
        const { uid, email, tokens } = await service.signUp();
        return door(
          'sign_in',
          email,
          email,
          (options) => scenario.send(email, options),
          (code, options) => scenario.reauthenticate(tokens.access_token, { code }, options),
          () => service.database.prisma.auditLog.count({ where: { uid, action: 'user.reauthenticated' } }),
        );
      },
    ],
  ];
}
