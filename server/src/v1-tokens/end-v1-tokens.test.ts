// v1 tokens end whenever all sessions of the account end, also those of a concurrent login.
import { describe, expect, test } from 'vitest';
import { testOnServer, untilBlocked } from '../../test/blocked.js';
import { callIn } from '../../test/call-in.js';
import { codeScenario, newPassword } from '../../test/code-scenario.js';
import { statementLog, type TestUser, testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import { v1Invalid, v1Scenario } from '../../test/v1-scenario.js';
import { deleteAccount } from '../profile/delete-account.js';
import { endAllSessionsIn } from '../sessions/end-sessions.js';
import { requireLiveV1Token, useV1Token } from './find-v1-token.js';

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));

const v1 = v1Scenario(() => service);
const scenario = codeScenario(() => service);

type Revocation = {
  /** Runs before the race. */
  prepare?(user: TestUser): Promise<string>;
  revoke(user: TestUser, prepared: string): Promise<unknown>;
};

/** Changes the user like an admin: in one transaction, the user row first. */
const byAdmin = (user: TestUser, disabled: boolean) =>
  service.database.prisma.$transaction(async (tx) => {
    if (disabled) await tx.user.updateMany({ where: { id: user.uid }, data: { disabled } });
    const ids = { appId: service.app.app.id, uid: user.uid };
    await endAllSessionsIn(tx, service.deps, ids, 'sign_out_all');
  });

const revocations: [string, Revocation][] = [
  [
    'a reset in v2',
    {
      prepare: ({ email }) => scenario.resetCode(email),
      revoke: ({ email }, code) => scenario.reset(email, code),
    },
  ],
  [
    'a reset in v1',
    {
      prepare: ({ email }) => scenario.resetCode(email),
      revoke: ({ email }, code) =>
        v1.call('POST', '/password/reset', {
          body: { email, code, password: newPassword, password_confirmation: newPassword },
        }),
    },
  ],
  [
    'a change of password',
    { revoke: ({ tokens }) => scenario.changePassword(tokens.access_token, { password: newPassword }) },
  ],
  [
    'signing out everywhere',
    { revoke: ({ tokens }) => service.call('POST', '/auth/sign-out-all', { token: tokens.access_token }) },
  ],
  ['disabling', { revoke: (user) => byAdmin(user, true) }],
  ['revoking by an admin', { revoke: (user) => byAdmin(user, false) }],
  ['deletion', { revoke: ({ tokens }) => scenario.deleteAccount(tokens.access_token) }],
  [
    'the first emailed code on an account whose email nobody proved',
    {
      prepare: ({ email }) => scenario.signInCode(email),
      revoke: ({ email }, code) => scenario.verify(email, code),
    },
  ],
];

describe.each(revocations)('%s', (_name, { prepare, revoke }) => {
  test('ends every v1 token of the account, and of no other', async () => {
    const [user, stranger] = [await service.signUp(), await service.signUp()];
    const tokens = [await v1.logIn(user), await v1.logIn(user)];
    const other = await v1.logIn(stranger);
    await revoke(user, (await prepare?.(user)) ?? '');
    for (const token of tokens) {
      expect(await v1.me(token)).toMatchObject(v1Invalid);
      expect((await v1.exchange(token)).code).toBe('auth/invalid-token');
    }
    expect((await v1.me(other)).status).toBe(200);
  });

  testOnServer('is not outlived by a v1 login that was under way', async () => {
    const user = await service.signUp();
    const prepared = (await prepare?.(user)) ?? '';
    let ending: Promise<unknown> | undefined;
    let entering: ReturnType<typeof v1.call> | undefined;
    await service.database.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM users
        WHERE app_id = ${service.app.app.id} AND id = ${user.uid} FOR UPDATE`;
      ending = revoke(user, prepared);
      await untilBlocked(service.database, 1);
      // Password verified, it waits for the row to insert its token.
      entering = v1.call('POST', '/login', { body: user });
      await untilBlocked(service.database, 2);
    });
    await ending;
    const answer = await entering;
    // Revocations that leave the password allow a login that starts afterwards; its token is valid.
    const alive = answer?.status === 200 && (await v1.me(answer.json.data.token)).status === 200;
    expect((await v1.tokensOf(user.uid)).length).toBe(alive ? 1 : 0);
    const keepsPassword = ['signing out everywhere', 'revoking by an admin'].includes(_name);
    expect(answer?.status === 200).toBe(keepsPassword);
  });
});

test('the credential version is raised first, then sessions end, then v1 tokens, in one transaction', async () => {
  const user = await service.signUp();
  await v1.logIn(user);
  const sent = await statements.during(() =>
    service.call('POST', '/auth/sign-out-all', { token: user.tokens.access_token }),
  );
  const place = (pattern: RegExp) => sent.findIndex((sql) => pattern.test(sql));
  const steps = [
    /BEGIN/i,
    /credential_version \+ 1/,
    /UPDATE sessions SET ended_at/,
    /DELETE FROM v1_tokens/,
    /COMMIT/i,
  ];
  const places = steps.map(place);
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test('a change of email ends no v1 token, as it ends no session', async () => {
  const user = await service.signUp();
  const token = await v1.logIn(user);
  const code = await scenario.changeCode(user.tokens.access_token, 'elsewhere@example.com');
  expect((await scenario.confirm(user.tokens.access_token, code)).status).toBe(200);
  expect((await v1.me(token)).json.data.user.email).toBe('elsewhere@example.com');
});

test('a deletion whose v1 token ends between the guard and the change is refused', async () => {
  const user = await service.signUp();
  const text = await v1.logIn(user);
  const { deps, app } = service;
  const current = await deps.apps.fresh(app.app.id);
  const v1Token = await useV1Token(deps, current, text);
  expect((await v1.call('POST', '/logout', { token: text })).status).toBe(200);
  const call = callIn(current, { uid: user.uid, v1Token });
  const deleted = deleteAccount(deps, call, user.uid, (tx) => requireLiveV1Token(tx, v1Token));
  await expect(deleted).rejects.toThrow(expect.objectContaining({ code: 'auth/invalid-token' }));
  expect((await service.signIn(user)).status).toBe(200);
});
