// Calls that invalidate the password, concurrent with refreshes and sign-ins with it. No session from an invalidated
// credential, and none started before the revocation, survives.
import { describe, expect, test } from 'vitest';
import { codeScenario, newPassword } from './code-scenario.js';
import { type Answer, claimsOf, type TestUser, testService } from './harness.js';
import { shared } from './shared.js';
import { inFull } from './thorough.js';

const service = shared(() => testService());

const scenario = codeScenario(() => service);
const rounds = inFull(200, 4);
const sidOf = (tokens: { access_token: string }): string => claimsOf(tokens.access_token).sid;

type Revocation = {
  /** Set up before the race begins. */
  prepare?(user: TestUser): Promise<string>;
  revoke(user: TestUser, prepared: string): Promise<unknown>;
  /** Whether the session that requests the revocation survives. */
  spares: boolean;
};

const revocations: [string, Revocation][] = [
  [
    'a password reset',
    {
      prepare: ({ email }) => scenario.resetCode(email),
      revoke: ({ email }, code) => expectStatus(204, scenario.reset(email, code)),
      spares: false,
    },
  ],
  [
    'a change of password',
    {
      revoke: ({ tokens }) =>
        expectStatus(204, scenario.changePassword(tokens.access_token, { password: newPassword })),
      spares: true,
    },
  ],
  [
    'disabling',
    {
      revoke: ({ uid }) => {
        const call = { token: service.app.secretKey, body: { disabled: true } };
        return expectStatus(200, service.call('PATCH', `/admin/users/${uid}`, call));
      },
      spares: false,
    },
  ],
  [
    'deletion',
    {
      revoke: ({ tokens }) => expectStatus(204, scenario.deleteAccount(tokens.access_token)),
      spares: false,
    },
  ],
];

async function expectStatus(status: number, call: Promise<Answer>): Promise<void> {
  expect((await call).status).toBe(status);
}

/** Delays by an amount that differs between rounds, so that the calls overlap at every point. */
async function afterTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const liveSids = async (uid: string) => {
  const where = { appId: service.app.app.id, uid, endedAt: null };
  return (await service.database.prisma.session.findMany({ where })).map(({ id }) => id);
};

describe.each(revocations)('%s', (_name, { prepare, revoke, spares }) => {
  test(`concurrent with refreshes and sign-ins, ${rounds} times: no earlier session survives`, async () => {
    for (let round = 0; round < rounds; round += 1) {
      const user = await service.signUp();
      const prepared = (await prepare?.(user)) ?? '';
      const racing = [
        service.refresh(user.tokens.refresh_token),
        afterTurns(round % 7).then(() => service.refresh(user.tokens.refresh_token)),
        service.signIn(user),
        afterTurns(round % 11).then(() => service.signIn(user)),
      ];
      await afterTurns(round % 24);
      await revoke(user, prepared);
      // Sent after its answer, and so wholly after it.
      expect((await service.signIn(user)).status).not.toBe(200);

      const answers = await Promise.all(racing);
      for (const { status, code } of answers) {
        const refusals = ['auth/refresh-token-revoked', 'auth/invalid-credential', 'auth/user-disabled'];
        expect([...refusals, 200]).toContain(code ?? status);
      }
      expect(await liveSids(user.uid)).toEqual(spares ? [sidOf(user.tokens)] : []);
      if (round % 10 > 0) continue;
      const ended = answers.flatMap(({ data }) =>
        data && !(spares && sidOf(data) === sidOf(user.tokens)) ? [data] : [],
      );
      for (const tokens of ended) {
        expect((await service.call('GET', '/me', { token: tokens.access_token })).status).toBe(401);
        expect((await service.refresh(tokens.refresh_token)).code).toBe('auth/refresh-token-revoked');
      }
    }
  }, 300_000);
});
