// Support over HTTP: what keeps a user from signing in, and what the team does about it.
import { limits, type SignInState, type UserNote } from '@foyer/contract';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { codeScenario, newEmail, wrongCode } from '../../test/code-scenario.js';
import type { Answer, CallOptions } from '../../test/harness.js';
import { lateAnswer } from '../../test/held-transactions.js';
import { from, limitedService, newAddress, times } from '../../test/limited-service.js';
import { expectRefusal } from '../../test/refusal.js';
import { secondFactorScenario } from '../../test/second-factor-scenario.js';
import { shared } from '../../test/shared.js';
import {
  memberPassword,
  type TeamScenario,
  type TestMember,
  teamScenario,
} from '../../test/team-scenario.js';

const service = shared(() => limitedService({}));
const codes = codeScenario(() => service);
const factors = secondFactorScenario(() => service);
const password = 'right password';
let team: TeamScenario;
let helper: TestMember;
let email: string;
let uid: string;
/** The device that signed up. */
let device: string;
let home: string;

beforeAll(async () => {
  team = await teamScenario(() => service);
  helper = await team.newMember(service.app.app.id, 'support');
});
beforeEach(async () => {
  service.clock.advance(60 * 60_000);
  email = newEmail();
  home = newAddress();
  const signedUp = await service.signUpFrom(home, email);
  uid = signedUp.json.data.user.uid;
  device = signedUp.headers.get('x-device-token') as string;
  // The token of the hour before has expired.
  const signedIn = await service.signIn(
    { email: helper.email, password: memberPassword },
    { appKey: team.consoleApp.appKey },
  );
  helper = { ...helper, token: signedIn.data.access_token };
});

const at = (path: string) => `/admin/users/${uid}${path}`;
const asSupport = <Data>(method: string, path: string, options: CallOptions = {}) =>
  service.call<Data>(method, at(path), { token: helper.token, ...options });
const state = async () => (await asSupport<SignInState>('GET', '/sign-in-state')).data;
const signIn = (typed: string, ip = home, headers = {}) =>
  service.call('POST', '/auth/sign-in', {
    headers: { ...from(ip).headers, ...headers },
    body: { email, password: typed },
  });
const onDevice = (typed: string, ip = home) => signIn(typed, ip, { 'x-device-token': device });
const until = (seconds: number) =>
  new Date(service.clock.now().getTime() + seconds * 1_000).toISOString().replace('Z', '000Z');
const entriesOf = (action: string) => service.auditEntries({ uid, action });

describe('the state of a sign-in', () => {
  test('of a user who signs in without trouble names the latest sign-in and nothing else', async () => {
    await signIn(password);
    expect(await state()).toEqual({
      limits: [],
      disabled_by: null,
      last_success: expect.objectContaining({ action: 'user.signed_in', ip_address: home }),
      last_failure: null,
      failures: 0,
      refused_tokens: [],
    });
  });

  test('of a user who has never signed in counts every failure', async () => {
    email = newEmail();
    const body = { email, password };
    const made = await service.call<{ uid: string }>('POST', '/admin/users', {
      token: service.app.secretKey,
      body,
    });
    uid = made.data.uid;
    await times(2, () => signIn('wrong'));
    expect(await state()).toMatchObject({
      last_success: null,
      last_failure: { action: 'user.sign_in_failed' },
      failures: 2,
    });
  });

  test.each([
    ['wrong passwords from one IP address', 'auth-failures-email-ip', signIn],
    ['wrong passwords on a known device', 'auth-failures-device', onDevice],
  ] as const)('names the limit after %s, until it ends or is lifted', async (_, policy, attempt) => {
    await times(10, () => attempt('wrong'));
    expect((await attempt(password)).code).toBe('request/rate-limited');
    const blocked = await state();
    const ip_address = policy === 'auth-failures-device' ? null : home;
    expect(blocked.limits).toEqual([{ policy, ip_address, until: until(900) }]);
    expect(blocked.last_failure).toMatchObject({
      action: 'user.guesses_limited',
      details: { limit: policy, method: 'password' },
    });
    expect(blocked.failures).toBe(11);
    expect((await asSupport('POST', '/lift-limits')).status).toBe(204);
    expect((await state()).limits).toEqual([]);
    expect((await attempt(password)).status).toBe(200);
    expect((await state()).failures).toBe(0);
    expect(await entriesOf('user.limits_lifted')).toMatchObject([
      { actor: `member:${helper.uid}`, details: { limits: [policy] } },
    ]);
    await times(10, () => attempt('wrong'));
    service.clock.advance(900_000);
    expect((await state()).limits).toEqual([]);
  });

  test('names the limit of all strangers together, which keeps nobody out who has a known device', async () => {
    await times(50, () => signIn('wrong', newAddress()));
    expect((await state()).limits).toEqual([
      { policy: 'auth-failures-email', ip_address: null, until: until(900) },
    ]);
    expect((await onDevice(password)).status).toBe(200);
  });

  test('names the limit of wrong second factors, until it is lifted', async () => {
    await service.changeSettings({ second_factor: 'optional' });
    const { access_token: token } = (await signIn(password)).json.data;
    const { secret } = await factors.enroll({ token });
    const guess = (totp: string) => codes.reauthenticate(token, { password, totp });
    await times(10, () => guess(wrongCode(factors.codeOf(secret))));
    expectRefusal(await guess(factors.codeOf(secret)), 'request/rate-limited', null);
    const blocked = await state();
    const policy = 'second-factor-guesses';
    expect(blocked.limits).toEqual([{ policy, ip_address: null, until: until(900) }]);
    expect(blocked.last_failure).toMatchObject({
      action: 'user.guesses_limited',
      details: { limit: policy, method: 'totp' },
    });
    expect((await asSupport('POST', '/lift-limits')).status).toBe(204);
    expect((await state()).limits).toEqual([]);
    expect(await entriesOf('user.limits_lifted')).toMatchObject([{ details: { limits: [policy] } }]);
    expectRefusal(await guess(wrongCode(factors.codeOf(secret))), 'auth/invalid-code');
    expect((await state()).last_failure?.action).toBe('user.second_factor_failed');
    expect((await guess(factors.codeOf(secret))).status).toBe(200);
  });

  test('names the daily limit of wrong codes for the account and the network, and lifts both', async () => {
    const ip_address = home;
    const guess = (code: string) => codes.verify(email, code, from(home));
    service.setLimits(service.app.app.id, { 'code-guesses-email-day': { limit: 5, windowSeconds: 86_400 } });
    try {
      await codes.send(email, from(home));
      const code = await codes.codeOf(email, 'sign_in');
      await times(5, () => guess(wrongCode(code)));
      const ends = until(86_400);
      expect((await state()).limits).toEqual([
        { policy: 'code-guesses-email-day', ip_address: null, until: ends },
        { policy: 'code-guesses-network', ip_address, until: ends },
      ]);
      expect((await asSupport('POST', '/lift-limits')).status).toBe(204);
      expect((await state()).limits).toEqual([]);
      service.clock.advance(60_000);
      await codes.send(email, from(home));
      expect((await guess(await codes.codeOf(email, 'sign_in'))).status).toBe(200);
    } finally {
      service.setLimits(service.app.app.id, {});
    }
  });

  test('names the daily limit of mails to an email that a reset has proven, and lifts it', async () => {
    service.setLimits(service.app.app.id, { 'code-send-email': { limit: 2, windowSeconds: 86_400 } });
    try {
      await codes.forgot(email, from(home));
      await codes.reset(email, await codes.codeOf(email, 'reset'), password, from(home));
      const { access_token: token } = (await signIn(password)).json.data;
      await times(2, async () => {
        await codes.send(email, { ...from(home), token });
        service.clock.advance(60_000);
      });
      expect((await state()).limits).toEqual([
        { policy: 'code-send-email', ip_address: null, until: until(86_400 - 120) },
      ]);
      expect((await asSupport('POST', '/lift-limits')).status).toBe(204);
      expect((await state()).limits).toEqual([]);
    } finally {
      service.setLimits(service.app.app.id, {});
    }
  });

  test('lifting leaves the limits of every other user as they are', async () => {
    const other = newEmail();
    await service.signUpFrom(home, other);
    const attempt = () =>
      service.call('POST', '/auth/sign-in', { ...from(home), body: { email: other, password: 'wrong' } });
    await times(10, attempt);
    await times(10, () => signIn('wrong'));
    await signIn('wrong');
    await asSupport('POST', '/lift-limits');
    expect((await attempt()).code).toBe('request/rate-limited');
    expect((await signIn(password)).status).toBe(200);
  });

  test('says who disabled the user and when, and why the latest attempt failed', async () => {
    await asSupport('PATCH', '', { body: { disabled: true } });
    await signIn(password);
    expect(await state()).toMatchObject({
      disabled_by: { actor: `member:${helper.uid}`, actor_name: helper.email, action: 'user.disabled' },
      last_failure: { details: { method: 'password', reason: 'auth/user-disabled' }, ip_address: home },
    });
    await asSupport('PATCH', '', { body: { disabled: false } });
    expect((await state()).disabled_by).toBeNull();
  });

  test('names the ID tokens that were refused from the user’s networks, and no others', async () => {
    const refused = (ip: string) =>
      service.deps.auditBuffer.add({
        appId: service.app.app.id,
        actor: { name: 'anonymous', ip },
        action: 'provider.token_refused',
        about: 'provider:provider-a',
        details: { reason: 'audience', aud: 'another-client' },
      });
    refused(newAddress());
    refused(home);
    expect((await state()).refused_tokens).toMatchObject([
      { target: 'provider:provider-a', ip_address: home, details: { reason: 'audience' } },
    ]);
    service.clock.advance(8 * 86_400_000);
    const { secretKey: token } = service.app;
    const later = await asSupport<SignInState>('GET', '/sign-in-state', { token });
    expect(later.data.refused_tokens).toEqual([]);
    helper = await team.newMember(service.app.app.id, 'support');
  });
});

describe('a code that support sends', () => {
  const send = (purpose: string) => asSupport('POST', '/send-code', { body: { purpose } });

  test('signs the user in, with the flow of an app that never asked for one or without', async () => {
    expect((await send('sign_in')).data).toEqual({ expires_in: 600 });
    const code = await codes.codeOf(email, 'sign_in');
    const verified = await service.call('POST', '/auth/email-code/verify', {
      headers: { 'x-code-flow': 'fl_AAAAAAAAAAAAAAAAAAAAAA' },
      body: { email, code },
    });
    expect(verified.status).toBe(200);
    expect(await entriesOf('user.code_sent')).toMatchObject([
      { actor: `member:${helper.uid}`, details: { purpose: 'sign_in' } },
    ]);
  });

  test('resets the password, and verifies the email', async () => {
    await send('reset');
    const code = await codes.codeOf(email, 'reset');
    const reset = await service.call('POST', '/auth/password/reset', {
      body: { email, code, password: 'another password' },
    });
    expect(reset.status).toBe(204);
    await send('verification');
    expect(await codes.codeOf(email, 'verification')).toMatch(/^\d{6}$/);
  });

  test('is refused within 30 seconds of the one before, with the seconds to wait, and nothing is recorded', async () => {
    await send('sign_in');
    service.clock.advance(10_000);
    const again = await send('sign_in');
    expectRefusal(again, 'request/rate-limited');
    expect(again.headers.get('retry-after')).toBe('20');
    expect(await entriesOf('user.code_sent')).toHaveLength(1);
    expect((await send('reset')).status).toBe(200);
  });

  test('is mailed however many codes strangers have requested', async () => {
    for (let place = 0; place < 31; place += 1) {
      await service.call('POST', '/auth/email-code/send', { ...from(newAddress()), body: { email } });
    }
    const before = (await service.mailbox(email)).length;
    expect((await send('sign_in')).status).toBe(200);
    expect(await service.mailbox(email)).toHaveLength(before + 1);
  });

  test('is refused while the user has the maximum of live codes, and nothing is recorded', async () => {
    await codes.send(email, from(home));
    const { prisma } = service.database;
    const code = await prisma.code.findFirstOrThrow({ where: { subject: email } });
    const { random } = service.deps;
    const more = Array.from({ length: limits.liveCodes - 1 }, () => random.ulid(service.clock.now()));
    await prisma.code.createMany({ data: more.map((id) => ({ ...code, id })) });
    const before = (await service.mailbox(email)).length;
    const refused = await send('sign_in');
    expectRefusal(refused, 'request/rate-limited');
    expect(refused.headers.get('retry-after')).toBe('600');
    expect(await service.mailbox(email)).toHaveLength(before);
    expect(await entriesOf('user.code_sent')).toEqual([]);
  });

  test('is none for an email that is changed meanwhile', async () => {
    const before = email;
    const answer = await lateAnswer(
      service,
      (late) => late.call('POST', at('/send-code'), { token: helper.token, body: { purpose: 'reset' } }),
      () => service.call('PATCH', at(''), { token: service.app.secretKey, body: { email: newEmail() } }),
    );
    expectRefusal(answer, 'auth/user-not-found');
    expect(await codes.mailed(before, 'reset')).toEqual([]);
    expect(await entriesOf('user.code_sent')).toEqual([]);
  });

  test('is none for a disabled user', async () => {
    await asSupport('PATCH', '', { body: { disabled: true } });
    expectRefusal(await send('sign_in'), 'auth/user-disabled');
    expect(await service.mailbox(email)).toEqual([]);
  });
});

describe('notes', () => {
  const notes = async (options?: CallOptions) =>
    (await asSupport<{ items: UserNote[]; next_cursor: string | null }>('GET', '/notes', options)).data;

  test('are listed newest first with their author, page by page, and recorded without their text', async () => {
    for (const text of ['first', ' second '])
      expect((await asSupport('POST', '/notes', { body: { text } })).status).toBe(201);
    expect((await notes()).items).toMatchObject(
      ['second', 'first'].map((text) => ({
        text,
        actor: `member:${helper.uid}`,
        actor_name: helper.email,
      })),
    );
    const page = await asSupport<{ items: UserNote[]; next_cursor: string }>('GET', '/notes?limit=1');
    const rest: Answer<{ items: UserNote[] }> = await asSupport(
      'GET',
      `/notes?limit=1&cursor=${page.data.next_cursor}`,
    );
    expect(rest.data.items).toMatchObject([{ text: 'first' }]);
    expect(JSON.stringify(await entriesOf('user.note_added'))).not.toContain('second');
  });

  test('are at most 200, the oldest of which make room, and go with the account', async () => {
    const { prisma } = service.database;
    const createdAt = new Date(service.clock.now().getTime() - 60_000);
    const row = (place: number) => {
      const id = service.deps.random.ulid(createdAt);
      return { appId: service.app.app.id, uid, id, text: String(place), actor: 'service', createdAt };
    };
    await prisma.userNote.createMany({ data: Array.from({ length: 200 }, (_, place) => row(place)) });
    await asSupport('POST', '/notes', { body: { text: 'newest' } });
    expect(await prisma.userNote.count({ where: { uid } })).toBe(200);
    expect((await notes()).items[0]?.text).toBe('newest');
    await service.call('DELETE', at(''), { token: service.app.secretKey });
    expect(await prisma.userNote.count({ where: { uid } })).toBe(0);
  });
});

test('the scope `users:support` and its role disable a user, and change nothing else', async () => {
  const key = await service.call<{ secret_key: string }>('POST', '/admin/keys', {
    token: await team.ownerToken(),
    body: { name: 'helpdesk', scopes: ['users:support'] },
  });
  for (const [token, code] of [
    [key.data.secret_key, 'admin/insufficient-scope'],
    [helper.token, 'console/insufficient-role'],
  ] as const) {
    const change = (body: object) => service.call('PATCH', at(''), { token, body });
    expect((await change({ disabled: true })).status).toBe(200);
    expect((await change({ disabled: false, email: 'mallory@example.com' })).code).toBe(code);
    expect((await change({ password: 'a new password' })).code).toBe(code);
    expect((await service.call('DELETE', at(''), { token })).code).toBe(code);
  }
});
