// A code works only for its purpose, app and email.
import { describe, expect, test } from 'vitest';
import { codeScenario, invalidCode, newEmail, newPassword } from '../../test/code-scenario.js';
import { type Answer, testEncryptionKey, testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import type { CodePurpose } from './store.js';

const service = shared(() => testService());

const scenario = codeScenario(() => service);
const tenMinutes = 600_000;

describe('codes of different kinds', () => {
  test('work only for their own purpose, whether or not a code of the other kind was sent', async () => {
    for (const othersSent of [false, true]) {
      const { uid, email, tokens } = await service.signUp();
      const token = tokens.access_token;
      const other = newEmail();
      const sends = {
        sign_in: () => scenario.signInCode(email),
        reset: () => scenario.resetCode(email),
        verification: () => scenario.verificationCode({ email, token }),
        email_change: () => scenario.changeCode(token, other),
      };
      const uses: [name: string, own: CodePurpose, use: (code: string) => Promise<Answer>][] = [
        ['verify', 'sign_in', (code) => scenario.verify(email, code)],
        ['reauthenticate', 'sign_in', (code) => scenario.reauthenticate(token, { code })],
        ['reset', 'reset', (code) => scenario.reset(email, code)],
        ['confirm', 'verification', (code) => scenario.confirm(token, code)],
        ['confirm of a change', 'email_change', (code) => scenario.confirm(token, code)],
        ['verify with the other address', 'email_change', (code) => scenario.verify(other, code)],
        ['reset with the other address', 'email_change', (code) => scenario.reset(other, code)],
      ];
      const kinds = Object.keys(sends) as CodePurpose[];
      for (const kind of kinds) {
        await service.database.prisma.code.deleteMany({ where: { appId: service.app.app.id } });
        const codes = new Map<CodePurpose, string>();
        for (const each of othersSent ? kinds : [kind]) {
          let code = await sends[each]();
          while ([...codes.values()].includes(code)) code = await sends[each]();
          codes.set(each, code);
        }
        for (const [name, own, use] of uses) {
          const confirms = name.startsWith('confirm') && (kind === 'verification' || kind === 'email_change');
          if (own === kind || confirms) continue;
          const answer = await use(codes.get(kind) as string);
          expect({ kind, name, answer }).toMatchObject({ answer: invalidCode });
        }
      }
      expect(await scenario.userRow(uid)).toMatchObject({ email, emailVerified: false, emailProven: false });
      expect((await service.signIn({ email, password: newPassword })).status).toBe(401);
    }
  });

  test('a change code does not verify the current email, and a verification code does not change it', async () => {
    const { uid, email, tokens } = await service.signUp();
    const token = tokens.access_token;
    const verification = await scenario.verificationCode({ email, token });
    let change = await scenario.changeCode(token, newEmail());
    while (change === verification) change = await scenario.changeCode(token, newEmail());
    // The pending change is the one that is checked.
    expect(await scenario.confirm(token, verification)).toMatchObject(invalidCode);
    expect(await scenario.userRow(uid)).toMatchObject({ email, emailVerified: false });
    service.clock.advance(tenMinutes + 1);
    const fresh = await scenario.verificationCode({ email, token });
    if (fresh !== change) expect(await scenario.confirm(token, change)).toMatchObject(invalidCode);
    expect(await scenario.userRow(uid)).toMatchObject({ email, emailVerified: false });
  });
});

describe('a code of one email', () => {
  test('is refused for another email, for another user, and for the same email in another app', async () => {
    const other = await service.newApp();
    const appKey = other.app.appKey;
    const [ada, eve] = [await service.signUp(), await service.signUp()];
    const twin = await service.signUp({ email: ada.email, appKey });
    const signIn = await scenario.signInCode(ada.email);
    const reset = await scenario.resetCode(ada.email);
    const verification = await scenario.verificationCode({
      email: ada.email,
      token: ada.tokens.access_token,
    });
    const change = await scenario.changeCode(ada.tokens.access_token, newEmail());
    // An attacker has codes too.
    while ((await scenario.signInCode(eve.email)) === signIn);
    while ((await scenario.resetCode(eve.email)) === reset);

    const eveToken = eve.tokens.access_token;
    const refused = [
      await scenario.verify(eve.email, signIn),
      await scenario.reset(eve.email, reset),
      await scenario.reauthenticate(eveToken, { code: signIn }),
      await scenario.confirm(eveToken, verification),
      await scenario.confirm(eveToken, change),
      await scenario.verify(ada.email, signIn, { appKey }),
      await scenario.reset(ada.email, reset, newPassword, { appKey }),
      await service.call('POST', '/auth/reauthenticate', {
        appKey,
        token: twin.tokens.access_token,
        body: { code: signIn },
      }),
      await service.call('POST', '/auth/email/verification/confirm', {
        appKey,
        token: twin.tokens.access_token,
        body: { code: verification },
      }),
    ];
    for (const answer of refused) expect(answer).toMatchObject(invalidCode);
    // None of these counted as a guess at the code.
    for (const [purpose, subject] of [
      ['sign_in', ada.email],
      ['reset', ada.email],
      ['verification', ada.uid],
      ['email_change', ada.uid],
    ] as const) {
      expect((await scenario.codeRow(purpose, subject))?.guesses).toBe(0);
    }
    expect(await scenario.verify(ada.email, signIn)).toMatchObject({ status: 200 });
  });

  test('is accepted for any spelling of that email', async () => {
    const email = newEmail();
    const code = await scenario.signInCode(email);
    const written = `  ${email.toUpperCase()} `;
    expect((await scenario.verify(written, code)).data.user.email).toBe(email);
    expect((await scenario.send(written)).status).toBe(200);
    const next = await scenario.codeOf(email, 'sign_in');
    expect((await scenario.verify(email, next)).status).toBe(200);
  });

  test('is stored only as a keyed hash', async () => {
    const email = newEmail();
    const code = await scenario.signInCode(email);
    const row = await scenario.codeRow('sign_in', email);
    expect(row?.codeHash).toHaveLength(32);
    expect(JSON.stringify(row)).not.toContain(code);
  });
});

test('a code remains valid after a change of ENCRYPTION_KEYS that still lists the previous key', async () => {
  const email = newEmail();
  const code = await scenario.signInCode(email);
  const encryptionKeys = ['another-secret-key-for-tests-and-long-enough', testEncryptionKey];
  const rotated = await service.secondInstance({ config: { encryptionKeys } });
  try {
    const verify = (body: object) => rotated.call('POST', '/auth/email-code/verify', { body });
    expect(await verify({ email, code: code === '000000' ? '000001' : '000000' })).toMatchObject(invalidCode);
    expect((await verify({ email, code })).status).toBe(200);
  } finally {
    await rotated.stop();
  }
});

test('a code whose key was removed from ENCRYPTION_KEYS is invalid', async () => {
  const email = newEmail();
  const code = await scenario.signInCode(email);
  await service.database.prisma.code.updateMany({ where: { subject: email }, data: { keyId: 99 } });
  expect(await scenario.verify(email, code)).toMatchObject(invalidCode);
});
