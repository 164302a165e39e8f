// PUT /me/password: a recent sign-in or the right present password sets another; every other session ends.
import type { App } from '../apps/app.js';
import type { Deps } from '../deps.js';
import { ApiError } from '../lib/api-error.js';
import { signedInRecently } from '../sessions/recent-sign-in.js';
import { type Account, accountById } from '../users/find-account.js';
import { lockAccountOfCall } from '../users/lock-account.js';
import { normalisedPassword } from './password-rules.js';
import { strongPassword } from './strong-password.js';
import { type PasswordWrite, writePassword } from './write-password.js';

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
  const { uid, sessionId } = input.session;
  const { currentPassword, language } = input;

  let passwordHash: string | undefined;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const account = await accountById(deps, app, uid);
    if (account === null) throw new ApiError('auth/invalid-token');
    if (currentPassword !== undefined) {
      await deps.limiter.counted(app, { uid }, () =>
        demandPresentPassword(deps, account, normalisedPassword(currentPassword)),
      );
    }
    passwordHash ??= await deps.passwordHasher.hash(password);
    const write: PasswordWrite = {
      passwordHash,
      emailProven: false,
      reason: 'changed',
      language,
      spare: sessionId,
    };
    const done = await deps.prisma.$transaction(async (tx) => {
      await lockAccountOfCall(tx, { appId: app.id, userId: uid, sessionId });
      return writePassword(tx, deps, app, account, write);
    });
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
