// The calls of sign-in, tokens and the own account, in the order in which both services run them.
import { expect } from 'vitest';
import { challengeOf, redirectUri } from '../../server/test/redirect-scenario.js';
import { sha256 } from '../src/features/sha256.js';
import { ada, type Steps } from './parity-world.js';

const bob = { email: 'bob@example.com', password: 'a password of his own' };
const unknownId = '01JC4Q7M0RZ9X2V5T8W3Y6K1NB';
const minuteMs = 60_000;
const dayMs = 86_400_000;

export const accountSteps: Steps = {
  async accounts(call, { advance }) {
    const names: unknown[] = [];
    const signUp = (body: object) => call({ route: 'POST /auth/sign-up', body });
    await signUp({});
    await signUp({ email: 'ada', password: 5, first_name: 'x'.repeat(101) });
    await signUp({ ...ada, password: '1234567' });
    await signUp({ ...ada, email: ' ADA@example.com ', first_name: ' Ada ', last_name: '  ' });
    await signUp(ada);
    await call({ route: 'POST /auth/sign-in', body: { ...ada, password: 'wrong' } });
    await call({ route: 'POST /auth/sign-in', body: { email: 'nobody@example.com', password: 'x' } });
    const { data } = await call({ route: 'POST /auth/sign-in', body: ada });
    const token = data.access_token;
    await call({ route: 'GET /me' });
    await call({ route: 'GET /me', token: 'no.such.token' });
    await call({ route: 'GET /me', token });
    await call({ route: 'GET /me', headers: { 'x-app-key': 'pk_unknown' } });
    await call({ route: 'PATCH /me', token, body: { last_name: 'Lovelace', photo_url: null } });
    await call({ route: 'PATCH /me', token, body: { photo_url: 'ftp://example.com' } });
    const odd = ['Ada\u001b\u202e\nB', '\t\u0007 '];
    for (const first_name of ['😀'.repeat(100), '😀'.repeat(101), 'Zoe\u0301', ' Ada ', ...odd]) {
      const { data: named } = await call({ route: 'PATCH /me', token, body: { first_name } });
      names.push(named?.first_name);
    }
    for (const photo_url of ['HTTPS://example.com/a.jpg', 'https://a b', 'https://?a', 'https://[']) {
      await call({ route: 'PATCH /me', token, body: { photo_url } });
    }
    const { data: loyalty } = await call({ route: 'GET /me/loyalty', token });
    expect(loyalty.member_id).toMatch(/^\d{10}$/);
    await call({ route: 'GET /me/loyalty/history', token });
    await call({ route: 'GET /me/sessions', token, query: '?limit=1' });
    const { data: page } = await call({ route: 'GET /me/sessions', token, query: '?limit=101' });
    expect(page).toBeUndefined();
    await call({ route: 'GET /me/sessions', token, query: '?limit=01' });
    await call({ route: 'GET /me/sessions', token, query: '?pageSize=5' });
    await call({ route: 'DELETE /me/sessions/:id', token, params: { id: unknownId } });
    await call({ route: 'DELETE /me/sessions/:id', token, params: { id: 'unknown' } });
    await call({ route: 'DELETE /me/sessions/:id', params: { id: 'unknown' } });
    await call({ route: 'POST /auth/sign-out', token });
    await call({ route: 'GET /me', token });
    await call({ route: 'POST /auth/token/refresh', body: { refresh_token: data.refresh_token } });
    await advance(2 * 3_600_000);
    await call({ route: 'GET /me', token });
    return names;
  },

  async 'refresh rotation'(call, { advance }) {
    const { data: first } = await call({ route: 'POST /auth/sign-in', body: ada });
    const refresh = (refresh_token: string) =>
      call({ route: 'POST /auth/token/refresh', body: { refresh_token } });
    await refresh('rt_unknown');
    const { data: second } = await refresh(first.refresh_token);
    const { data: again } = await refresh(first.refresh_token);
    expect(again.refresh_token).toBe(second.refresh_token);
    await advance(2 * 3_600_000);
    await call({ route: 'GET /me', token: second.access_token });
    const { data: third } = await refresh(second.refresh_token);
    await call({ route: 'GET /me', token: third.access_token });
    await advance(31_000);
    await refresh(second.refresh_token);
    await refresh(third.refresh_token);
    await call({ route: 'GET /me', token: third.access_token });
    const { data: idle } = await call({ route: 'POST /auth/sign-in', body: ada });
    const { data: used } = await refresh(idle.refresh_token);
    await advance(30_000);
    // Repeats the response, which is no use of the session.
    await refresh(idle.refresh_token);
    await advance(90 * dayMs - 30_000);
    await refresh(used.refresh_token);
  },

  async 'emailed codes'(call, { advance, code }) {
    const email = 'code@example.com';
    const sent = await call({ route: 'POST /auth/email-code/send', body: { email } });
    expect(sent.headers.get('x-code-flow')).toMatch(/^fl_/);
    const verify = (guess: string, more: object = {}, headers = {}) =>
      call({ route: 'POST /auth/email-code/verify', body: { email, code: guess, ...more }, headers });
    await verify('12345');
    await verify('000000');
    const { data } = await verify(await code(email), { first_name: 'Coda' });
    expect(data.user).toMatchObject({ email, email_verified: true, first_name: 'Coda' });
    await verify('402718');
    await advance(minuteMs);
    await call({ route: 'POST /auth/email-code/send', body: { email } });
    await advance(11 * minuteMs);
    await verify(await code(email));
    const again = await call({ route: 'POST /auth/email-code/send', body: { email } });
    const flow = { 'x-code-flow': again.headers.get('x-code-flow')! };
    const valid = await code(email);
    for (let guess = 0; guess < 5; guess++) await verify('000000', {}, flow);
    await verify(valid, {}, flow);
  },

  async passwords(call, { advance, code }) {
    // In another form of Unicode, it is the same.
    const ligature = { email: 'unicode@example.com', password: 'ﬁrst ｐassword' };
    await call({ route: 'POST /auth/sign-up', body: ligature });
    await call({ route: 'POST /auth/sign-in', body: { ...ligature, password: 'first password' } });
    for (const password of ['😀'.repeat(256), '😀'.repeat(257)]) {
      await call({ route: 'POST /auth/sign-up', body: { email: 'long@example.com', password } });
    }
    await call({ route: 'POST /auth/sign-up', body: bob });
    await call({ route: 'POST /auth/password/forgot', body: { email: 'nobody@example.com' } });
    await call({ route: 'POST /auth/password/forgot', body: { email: bob.email } });
    const reset = (body: object) => call({ route: 'POST /auth/password/reset', body: { ...bob, ...body } });
    await reset({ code: '000000' });
    await reset({ code: await code(bob.email), password: 'short' });
    await reset({ code: await code(bob.email), password: 'a reset password' });
    await call({ route: 'POST /auth/sign-in', body: bob });
    const { data } = await call({
      route: 'POST /auth/sign-in',
      body: { ...bob, password: 'a reset password' },
    });
    const token = data.access_token;
    const change = (body: object) => call({ route: 'PUT /me/password', token, body });
    await change({ password: 'short' });
    await change({ password: bob.password, current_password: 'wrong' });
    await change({ password: bob.password });
    await advance(6 * minuteMs);
    await change({ password: bob.password });
    await change({ password: bob.password, current_password: bob.password });
  },

  async 'sensitive calls'(call, { advance, code }) {
    const { data } = await call({ route: 'POST /auth/sign-in', body: bob });
    const token = data.access_token;
    const reauthenticate = (body: object) => call({ route: 'POST /auth/reauthenticate', token, body });
    await call({ route: 'POST /me/email', token, body: { email: ada.email } });
    await advance(6 * minuteMs);
    await call({ route: 'POST /me/email', token, body: { email: 'bobby@example.com' } });
    await reauthenticate({});
    await reauthenticate({ provider_a: {} });
    await reauthenticate({ provider_b: { identity_token: 'no.token.this', nonce: 'a' } });
    await reauthenticate({ password: 'wrong' });
    await reauthenticate({ password: bob.password });
    await call({ route: 'POST /me/email', token, body: { email: 'bobby@example.com' } });
    const confirm = (guess: string) =>
      call({ route: 'POST /auth/email/verification/confirm', token, body: { code: guess } });
    await confirm('000000');
    await confirm(await code('bobby@example.com'));
    await call({ route: 'POST /auth/sign-in', body: bob });
    await advance(minuteMs);
    await call({ route: 'POST /auth/email/verification/send', token });
    await confirm(await code('bobby@example.com'));
    await advance(6 * minuteMs);
    await call({ route: 'DELETE /me', token });
    await reauthenticate({ password: bob.password });
    await call({ route: 'DELETE /me', token });
    await call({ route: 'GET /me', token });
  },

  async providers(call, { idToken }) {
    const nonce = 'a nonce of the client';
    const withA = async (email: string, own = nonce) =>
      call({
        route: 'POST /auth/provider-a',
        body: { id_token: await idToken('provider-a', email, nonce), nonce: own },
      });
    const proofB = async (email: string) => ({
      identity_token: await idToken('provider-b', email, sha256(nonce)),
      authorization_code: 'code',
      nonce,
    });
    await call({ route: 'POST /auth/provider-a', body: { nonce } });
    await call({ route: 'POST /auth/provider-a', body: { id_token: 'no.token.this', nonce } });
    await withA('grace@example.com', 'another nonce');
    await withA('grace@example.com');
    await withA('grace@example.com');
    await withA(ada.email);
    const signedIn = await call({
      route: 'POST /auth/provider-b',
      body: { ...(await proofB('grace@example.com')), first_name: 'Grace' },
    });
    const token = signedIn.data.access_token;
    const own = (provider: string) => ({ token, params: { provider } });
    await call({ route: 'GET /me/identities', token });
    await call({ route: 'DELETE /me/identities/:provider', ...own('provider-b') });
    await call({ route: 'DELETE /me/identities/:provider', ...own('provider-b') });
    const body = await proofB('grace2@example.com');
    await call({ route: 'POST /me/identities/:provider', ...own('provider-b'), body });
    const other = await proofB('grace3@example.com');
    await call({ route: 'POST /me/identities/:provider', ...own('provider-b'), body: other });
    // The conflict of the own account is reported before the other.
    const foreign = await proofB('hedy@example.com');
    await call({ route: 'POST /auth/provider-b', body: foreign });
    await call({ route: 'POST /me/identities/:provider', ...own('provider-b'), body: foreign });
    await call({ route: 'POST /me/identities/:provider', ...own('provider-b'), body });
    await call({ route: 'DELETE /me/identities/:provider', ...own('provider-b') });
    await call({ route: 'POST /me/identities/:provider', ...own('provider-b'), body: foreign });
    await call({ route: 'POST /me/identities/:provider', ...own('provider-b'), body });
    await call({ route: 'GET /me/identities', token });
  },

  async 'a provider of the settings'(call, { idToken }) {
    const nonce = 'a nonce of the client';
    const signIn = async (email: string, provider = 'contoso') =>
      call({
        route: 'POST /auth/providers/:provider',
        params: { provider },
        body: { id_token: await idToken(provider, email, nonce), nonce, first_name: 'Lise' },
      });
    const { data } = await signIn('lise@example.com');
    await signIn('lise@example.com');
    await signIn(ada.email);
    await signIn('lise@example.com', 'provider-a');
    await signIn('lise@example.com', 'unknown');
    const own = { token: data.access_token, params: { provider: 'contoso' } };
    await call({ route: 'GET /me/identities', token: data.access_token });
    await call({ route: 'DELETE /me/identities/:provider', ...own });
    await call({ route: 'DELETE /me/identities/:provider', ...own });
    const body = { id_token: await idToken('contoso', 'lise@example.com', nonce), nonce };
    await call({ route: 'POST /me/identities/:provider', ...own, body });
  },

  async 'a provider by redirect'(call, { codeFrom, advance }) {
    const verifier = 'v'.repeat(43);
    const code_challenge = challengeOf(verifier);
    const begin = (provider: string, change = {}) =>
      call({
        route: 'POST /auth/providers/:provider/authorize',
        params: { provider },
        body: { redirect_uri: redirectUri, code_challenge, ...change },
      });
    const returned = async (email: string) => codeFrom((await begin('contoso')).data.url, email);
    const finish = (code: string, code_verifier = verifier) =>
      call({ route: 'POST /auth/providers/finish', body: { code, code_verifier } });
    await begin('unknown');
    await begin('provider-a');
    await begin('contoso', { code_challenge: 'short' });
    await finish('pc_unknown');
    await finish('pc_unknown', 'short');
    const email = 'emmy@example.com';
    const code = await returned(email);
    await finish(code, 'x'.repeat(43));
    const { data } = await finish(code);
    await finish(code);
    const late = await returned(email);
    await advance(minuteMs);
    await finish(late);
    await finish(await returned(ada.email));
    const { access_token: token } = data;
    const again = async (id: string, code: string) =>
      call({
        route: 'POST /auth/reauthenticate',
        token,
        body: { provider: { id, code, code_verifier: verifier } },
      });
    await again('contoso', await returned(email));
    await again('contoso', await returned('somebody@example.com'));
    await again('unknown', 'pc_unknown');
    const own = { token, params: { provider: 'contoso' } };
    await call({ route: 'DELETE /me/identities/:provider', ...own });
    const link = { code: await returned('emmy@elsewhere.example'), code_verifier: verifier };
    await call({ route: 'POST /me/identities/:provider', ...own, body: link });
    await call({ route: 'POST /me/identities/:provider', ...own, body: link });
    await call({ route: 'GET /me/identities', token });
  },

  async 'the export of the data of a user'(call, { advance }) {
    const account = { ...ada, email: 'exported@example.com' };
    const { data } = await call({ route: 'POST /auth/sign-up', body: account });
    await call({ route: 'GET /me/export', token: data.access_token });
    await advance(6 * minuteMs);
    await call({ route: 'POST /me/export', token: data.access_token });
    const { data: again } = await call({ route: 'POST /auth/sign-in', body: account });
    await call({ route: 'POST /me/export', token: again.access_token });
    await call({ route: 'POST /me/export', token: again.access_token });
    await call({ route: 'POST /me/export' });
  },

  async 'codes of a deleted account'(call, { advance, code }) {
    const account = { ...ada, email: 'leaving@example.com' };
    const { data } = await call({ route: 'POST /auth/sign-up', body: account });
    await call({ route: 'POST /auth/email-code/send', body: { email: account.email } });
    const guess = await code(account.email);
    await advance(minuteMs);
    await call({ route: 'POST /auth/password/forgot', body: { email: account.email } });
    const reset = await code(account.email);
    await call({ route: 'DELETE /me', token: data.access_token });
    const body = { email: account.email, code: guess };
    await call({ route: 'POST /auth/email-code/verify', body });
    const change = { email: account.email, code: reset, password: account.password };
    await call({ route: 'POST /auth/password/reset', body: change });
  },

  async 'the move from v1'(call, { v1Token }) {
    const account = { ...ada, email: 'v1@example.com' };
    await call({ route: 'POST /auth/sign-up', body: account });
    await call({ route: 'POST /auth/token/from-v1', body: {} });
    await call({ route: 'POST /auth/token/from-v1', body: { v1_token: 'f'.repeat(64) } });
    const body = { v1_token: await v1Token(account.email) };
    const { data } = await call({ route: 'POST /auth/token/from-v1', body });
    await call({ route: 'POST /auth/token/from-v1', body });
    await call({ route: 'GET /me', token: data.access_token });
    // What ends every session ends the v1 tokens too.
    const token = data.access_token;
    const v1_token = await v1Token(account.email);
    await call({ route: 'POST /auth/sign-out-all', token });
    await call({ route: 'POST /auth/token/from-v1', body: { v1_token } });
    const other = { v1_token: await v1Token(account.email) };
    const { data: again } = await call({ route: 'POST /auth/sign-in', body: account });
    const { password } = bob;
    await call({ route: 'PUT /me/password', token: again.access_token, body: { password } });
    await call({ route: 'POST /auth/token/from-v1', body: other });
  },

  async 'disabled users'(call, { disable }) {
    const account = { ...ada, email: 'disabled@example.com' };
    const { data } = await call({ route: 'POST /auth/sign-up', body: account });
    await disable(account.email);
    await call({ route: 'GET /me', token: data.access_token });
    await call({ route: 'POST /auth/token/refresh', body: { refresh_token: data.refresh_token } });
    await call({ route: 'POST /auth/sign-in', body: account });
    await call({ route: 'POST /auth/sign-in', body: { ...account, password: 'wrong' } });
  },

  async 'signing out everywhere'(call) {
    const { data } = await call({ route: 'POST /auth/sign-in', body: ada });
    const { data: other } = await call({ route: 'POST /auth/sign-in', body: ada });
    const token = data.access_token;
    const { data: page } = await call({ route: 'GET /me/sessions', token, query: '?limit=1' });
    await call({ route: 'GET /me/sessions', token, query: `?limit=1&cursor=${page.next_cursor}` });
    await call({ route: 'GET /me/sessions', token, query: '?cursor=nonsense' });
    const { data: last } = await call({ route: 'POST /auth/sign-in', body: ada });
    await call({
      route: 'DELETE /me/sessions/:id',
      token: last.access_token,
      params: { id: page.items[0].id },
    });
    await call({ route: 'POST /auth/sign-out-all', token });
    await call({ route: 'GET /me', token: other.access_token });
  },
};
