// PUT /me/password: a recent sign-in or the right present password sets another; every other session ends.
import type { App } from '../apps/app.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { signedInRecently } from '../sessions/recent-sign-in.js';
import { type Account, accountById } from '../users/find-account.js';
import { normalisedPassword } from './password-rules.js';
import { strongPassword } from './strong-password.js';
import { writePassword } from './write-password.js';

export type PasswordChange = {
  password: string;
  currentPassword: string | undefined;
  session: { uid: string; sessionId: string; authTime: Date };
  language: string | undefined;
};

const mostTries = 3;

export async function changePassword(deps: Deps, app: App, input: PasswordChange): Promise<void> {
  const password = strongPassword(input.password);
  const recent = signedInRecently(deps, { app, session: input.session });
  if (!recent && input.currentPassword === undefined) throw new ApiError('auth/requires-recent-login');
  const failures =
    input.currentPassword === undefined
      ? null
      : await deps.limiter.takeFailures(app, { uid: input.session.uid });

  let passwordHash: string | undefined;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const account = await accountById(deps, app, input.session.uid);
    if (account === null) throw new ApiError('auth/invalid-token');
    if (input.currentPassword !== undefined) {
      await demandPresentPassword(deps, account, normalisedPassword(input.currentPassword));
      await failures?.giveBack();
    }
    passwordHash ??= await deps.passwordHasher.hash(password);
    const { language } = input;
    const done = await deps.prisma.$transaction((tx) =>
      writePassword(tx, deps, app, account, {
        passwordHash: passwordHash as string,
        emailProven: false,
        reason: 'changed',
        language,
        spare: input.session.sessionId,
      }),
    );
    if (done) {
      deps.queue.nudge();
      return;
    }
  }
  throw new ApiError('request/unavailable', { retryAfterSeconds: 1, cause: 'the account kept changing' });
}

async function demandPresentPassword(deps: Deps, account: Account, normalised: string): Promise<void> {
  const fits = await deps.passwordHasher.verify(
    account.passwordHash ?? deps.passwordHasher.decoyHash,
    normalised,
  );
  if (!fits || account.passwordHash === null) throw new ApiError('auth/invalid-credential');
}
