// The calls about what a used emailed code proves, and which codes it ends, after those of the accounts.
import { ada, type Call, type Steps } from './parity-world.js';

const minuteMs = 60_000;
const newPassword = 'a password of the owner';

/** An unverified account with a pending change of email. */
async function unverified(call: Call, email: string) {
  const { data } = await call({ route: 'POST /auth/sign-up', body: { ...ada, email } });
  const token = data.access_token;
  const change = await call({ route: 'POST /me/email', token, body: { email: `new-${email}` } });
  const signIn = (password: string) => call({ route: 'POST /auth/sign-in', body: { email, password } });
  return { token, signIn, flow: flowOf(change.headers) };
}

const flowOf = (headers: Headers) => ({ 'x-code-flow': headers.get('x-code-flow')! });

export const codeSteps: Steps = {
  async 'the reset of an unverified account'(call, { advance, code }) {
    const email = 'reset@example.com';
    const before = await unverified(call, email);
    const change = await code(`new-${email}`);
    await call({ route: 'POST /auth/password/forgot', body: { email } });
    const guess = await code(email);
    await call({ route: 'POST /auth/password/reset', body: { email, code: guess, password: newPassword } });
    await call({ route: 'GET /me', token: before.token });
    const { data } = await before.signIn(newPassword);
    const token = data.access_token;
    await call({ route: 'GET /me', token });
    const confirm = {
      route: 'POST /auth/email/verification/confirm',
      token,
      body: { code: change },
    } as const;
    await call({ ...confirm, headers: before.flow });
    // The reset has proven the email: a sign-in with a code verifies it, and removes nothing.
    await advance(minuteMs);
    await call({ route: 'POST /auth/email-code/send', body: { email } });
    await call({ route: 'POST /auth/email-code/verify', body: { email, code: await code(email) } });
    await call({ route: 'GET /me', token });
    await before.signIn(newPassword);
  },

  async 'the sign-in of an unverified account by code'(call, { code }) {
    const email = 'unverified@example.com';
    const before = await unverified(call, email);
    const change = { code: await code(`new-${email}`) };
    await call({ route: 'POST /auth/email-code/send', body: { email } });
    const body = { email, code: await code(email) };
    const { data } = await call({ route: 'POST /auth/email-code/verify', body });
    const token = data.access_token;
    await call({ route: 'GET /me', token: before.token });
    await call({ route: 'POST /auth/email/verification/confirm', token, body: change });
    await before.signIn(ada.password);
  },

  async 'a verification code of the previous email'(call, { code }) {
    const email = 'previous@example.com';
    const { data } = await call({ route: 'POST /auth/sign-up', body: { ...ada, email } });
    const token = data.access_token;
    const sent = await call({ route: 'POST /auth/email/verification/send', token });
    const previous = await code(email);
    const change = await call({ route: 'POST /me/email', token, body: { email: 'next@example.com' } });
    const confirm = (guess: string, headers: Record<string, string> = {}) =>
      call({ route: 'POST /auth/email/verification/confirm', token, body: { code: guess }, headers });
    await confirm(await code('next@example.com'), flowOf(change.headers));
    await confirm(previous, flowOf(sent.headers));
    await confirm(previous);
    const { data: user } = await call({ route: 'GET /me', token });
    return user.email;
  },

  async 'the codes of one email'(call, { advance, code }) {
    const email = 'codes@example.com';
    const codes: { code: string; flow: Record<string, string> }[] = [];
    for (let sent = 0; sent < 3; sent++) {
      const { headers } = await call({ route: 'POST /auth/email-code/send', body: { email } });
      codes.push({ code: await code(email), flow: flowOf(headers) });
      await advance(minuteMs);
    }
    // The use of one ends those sent before and after it.
    for (const index of [1, 0, 2]) {
      const { code: guess, flow } = codes[index]!;
      await call({ route: 'POST /auth/email-code/verify', body: { email, code: guess }, headers: flow });
    }
  },

  async 'the code of a change of email, after a session has ended the others'(call, { code }) {
    const account = { ...ada, email: 'pending@example.com' };
    const { data } = await call({ route: 'POST /auth/sign-up', body: account });
    const token = data.access_token;
    await call({ route: 'POST /me/email', token, body: { email: 'elsewhere@example.com' } });
    const guess = await code('elsewhere@example.com');
    await call({ route: 'PUT /me/password', token, body: { password: newPassword } });
    await call({ route: 'POST /auth/email/verification/confirm', token, body: { code: guess } });
  },

  async 'the code of a change to an email that is taken meanwhile'(call, { code }) {
    const email = 'taken@example.com';
    const { data } = await call({
      route: 'POST /auth/sign-up',
      body: { ...ada, email: 'taker@example.com' },
    });
    const token = data.access_token;
    await call({ route: 'POST /me/email', token, body: { email } });
    const guess = await code(email);
    await call({ route: 'POST /auth/sign-up', body: { ...ada, email } });
    // The refusal does not spend it.
    for (const _ of ['first', 'second']) {
      await call({ route: 'POST /auth/email/verification/confirm', token, body: { code: guess } });
    }
  },
};
