// Whether an email has an account, and in which state, cannot be seen from a send: its answer, work and effects.
import { beforeAll, describe, expect, test } from 'vitest';
import { codeScenario, invalidCode, newEmail, newPassword } from '../../test/code-scenario.js';
import { type Answer, statementLog, testService } from '../../test/harness.js';
import { shared } from '../../test/shared.js';
import { thorough } from '../../test/thorough.js';
import { hashOfCode } from './code-hash.js';
import type { CodePurpose } from './store.js';

const statements = statementLog();
const service = shared(() => testService({ onStatement: statements.onStatement }));

const scenario = codeScenario(() => service);
const tenMinutes = 600_000;
const day = 24 * 60 * 60 * 1_000;

type Email = { kind: string; email: string; mailed: boolean };

/** One of each, all of equal length. */
async function emailsOfEachKind(): Promise<Email[]> {
  await scenario.set({ sign_up: 'open' });
  const verified = await scenario.signInByCode(newEmail());
  const disabled = await service.signUp({ email: newEmail() });
  await scenario.disable(disabled.uid);
  const noPassword = await scenario.signInByCode(newEmail());
  const reset = (await service.signUp({ email: newEmail() })).email;
  await scenario.reset(reset, await scenario.resetCode(reset));
  const deleted = await scenario.signInByCode(newEmail());
  await scenario.deleteAccount(deleted.access_token);
  return [
    { kind: 'unknown', email: newEmail(), mailed: false },
    { kind: 'of a deleted account', email: deleted.user.email, mailed: false },
    { kind: 'unverified', email: (await service.signUp({ email: newEmail() })).email, mailed: true },
    { kind: 'verified', email: verified.user.email, mailed: true },
    { kind: 'disabled', email: disabled.email, mailed: true },
    { kind: 'without a password', email: noPassword.user.email, mailed: true },
    { kind: 'unverified with a password that was reset', email: reset, mailed: true },
  ];
}

/** All that a client sees of an answer except date and request id. */
function seen(answer: Answer) {
  const headers = Object.fromEntries(answer.headers);
  delete headers.date;
  delete headers['x-request-id'];
  const flow = headers['x-code-flow'];
  if (flow !== undefined) headers['x-code-flow'] = flow.replace(/^fl_[\w-]{22}$/, 'a flow');
  return { status: answer.status, headers, text: answer.text };
}

/** The answer of a call, and its cost. */
async function measured(call: () => Promise<Answer>) {
  const { passwordHasher } = service.deps;
  const hashesBefore = passwordHasher.done;
  let answer: Answer | undefined;
  const sent = await statements.during(async () => {
    answer = await call();
  });
  return { seen: seen(answer as Answer), statements: sent, hashes: passwordHasher.done - hashesBefore };
}

/** Makes the call for each email, expects each result to equal the first, and returns it. */
async function alike(emails: Email[], call: (email: string) => Promise<Answer>) {
  const [first, ...others] = emails as [Email, ...Email[]];
  const expected = await measured(() => call(first.email));
  for (const { kind, email } of others) {
    expect({ kind, ...(await measured(() => call(email))) }).toEqual({ kind, ...expected });
  }
  return expected;
}

const mailsTo = async ({ email }: Email) =>
  (await scenario.mailed(email)).filter((mail) => mail.at.getTime() === service.clock.now().getTime()).length;

/** A short run resets passwords in one case only: that sign-up is closed changes nothing there. */
const cases = (
  [
    ['send', 'open'],
    ['send', 'closed'],
    ['forgot', 'open'],
    ['forgot', 'closed'],
  ] as const
).filter(([name, signUp]) => thorough || name === 'send' || signUp === 'closed');

describe.each(cases)('%s, with sign-up %s', (name, signUp) => {
  const send = (email: string) => (name === 'send' ? scenario.send(email) : scenario.forgot(email));
  const guess = (email: string, code = '000000') =>
    name === 'send' ? scenario.verify(email, code) : scenario.reset(email, code);

  let emails: Email[];
  beforeAll(async () => {
    emails = await emailsOfEachKind();
    await scenario.set({ sign_up: signUp });
    // The first call after a settings change reloads the app.
    await service.call('GET', '/me');
    service.clock.advance(1_000);
  });

  /** Mail goes to those who could sign in with the code, or have a password to set. */
  const isMailed = (email: Email) => email.mailed || (name === 'send' && signUp === 'open');

  test('answers alike and does the same work, also later, and mails only the eligible emails', async () => {
    // No code was sent yet.
    expect((await alike(emails, guess)).seen.text).toContain('"auth/invalid-code"');
    const first = await alike(emails, send);
    expect(first.seen).toMatchObject({ status: 200, text: '{"data":{"expires_in":600}}' });
    expect(first.hashes).toBe(0);
    for (const email of emails) {
      expect([email.kind, await mailsTo(email)]).toEqual([email.kind, isMailed(email) ? 1 : 0]);
    }
    expect(await alike(emails, send)).toEqual(first);
    service.clock.advance(tenMinutes);
    // The app is reloaded after a few seconds, by the next call.
    await service.call('GET', '/me');
    expect(await alike(emails, send)).toEqual(first);
  });

  test('stores a code whose guesses are answered alike: wrong ones, by other users, after it ended and expired', async () => {
    for (const { email } of emails) await send(email);
    // Sign-up may be closed.
    await scenario.set({ sign_up: 'open' });
    const stranger = await service.signUp();
    await scenario.set({ sign_up: signUp });
    await service.call('GET', '/me');
    const path = name === 'send' ? '/auth/email-code/verify' : '/auth/password/reset';
    for (const token of [stranger.tokens.access_token, 'nonsense']) {
      const answer = await alike(emails, (email) =>
        service.call('POST', path, { token, body: { email, code: '000000', password: newPassword } }),
      );
      expect(answer.seen.status).toBe(token === 'nonsense' ? 401 : 422);
    }
    const malformed = await alike(emails, (email) => guess(email, 'no code'));
    expect([malformed.seen.status, malformed.hashes]).toEqual([422, 0]);
    for (let guesses = 0; guesses < 6; guesses += 1) {
      const { seen: answer, hashes } = await alike(emails, guess);
      expect([answer.text, hashes]).toEqual([expect.stringContaining('"auth/invalid-code"'), 0]);
    }

    for (const { email } of emails) await send(email);
    service.clock.advance(tenMinutes + 1);
    await service.call('GET', '/me');
    expect((await alike(emails, guess)).seen.text).toContain('"auth/code-expired"');
    await service.advance(day);
    await service.call('GET', '/me');
    expect((await alike(emails, guess)).seen.text).toContain('"auth/invalid-code"');
  });
});

describe('for every email', () => {
  let emails: Email[];
  beforeAll(async () => {
    emails = await emailsOfEachKind();
  });

  test('a weak password is refused alike, before any code is checked', async () => {
    for (const { email } of emails) await scenario.forgot(email);
    const answer = await alike(emails, (email) => scenario.reset(email, '000000', '7 chars'));
    expect(answer.seen.text).toContain('"auth/weak-password"');
    for (const { email } of emails) expect((await scenario.codeRow('reset', email))?.guesses).toBe(0);
  });

  test('a wrong password is refused alike, at the cost of one hash', async () => {
    const answer = await alike(emails, (email) => service.signIn({ email, password: 'a wrong password' }));
    expect([answer.seen.status, answer.hashes]).toEqual([401, 1]);
  });

  test('without a mail server every send is refused alike, without a query', async () => {
    const own = await service.secondInstance({ config: { databaseUrl: 'postgresql://127.0.0.1:1/none' } });
    try {
      await own.call('GET', '/me');
      for (const path of ['/auth/email-code/send', '/auth/password/forgot']) {
        const answer = await alike(emails, (email) => own.call('POST', path, { body: { email } }));
        expect(answer.seen.text).toContain('"request/unavailable"');
        expect(answer.statements).toEqual([]);
      }
    } finally {
      await own.stop();
    }
  });
});

describe('a decoy that is guessed by chance', () => {
  /** Writes a code known only to this test in place of the decoy. */
  async function known(purpose: CodePurpose, email: string): Promise<string> {
    const key = { appId: service.app.app.id, purpose, subject: email };
    const { keyRing } = service.deps;
    const codeHash = new Uint8Array(
      hashOfCode(keyRing, keyRing.currentKeyId, key, { email, code: '271828' }),
    );
    await service.database.prisma.code.updateMany({ where: key, data: { codeHash } });
    return '271828';
  }

  test('resets no password and creates no account', async () => {
    const email = newEmail();
    await scenario.forgot(email);
    const code = await known('reset', email);
    expect(await scenario.reset(email, code)).toMatchObject(invalidCode);
    expect(await service.database.prisma.user.count({ where: { email } })).toBe(0);
    expect(await service.signIn({ email, password: newPassword })).toMatchObject({ status: 401 });
  });

  test('creates no account while sign-up is closed', async () => {
    const email = newEmail();
    await scenario.set({ sign_up: 'closed' });
    try {
      await scenario.send(email);
      const code = await known('sign_in', email);
      expect((await scenario.verify(email, code)).code).toBe('auth/operation-not-allowed');
    } finally {
      await scenario.set({ sign_up: 'open' });
    }
    expect(await service.database.prisma.user.count({ where: { email } })).toBe(0);
  });
});
