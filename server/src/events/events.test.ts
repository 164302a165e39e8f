// Every kind of event: written with its cause or not at all, in the shape that the contract defines.
import { Event, type EventType } from '@foyer/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { codeScenario, newPassword } from '../../test/code-scenario.js';
import { differencesFrom } from '../../test/exact-shape.js';
import type { TestService } from '../../test/harness.js';
import { providerScenario } from '../../test/provider-scenario.js';
import { shared } from '../../test/shared.js';
import { webhookScenario } from '../../test/webhook-scenario.js';

const providers = shared(() => providerScenario());
let service: TestService;
beforeAll(() => {
  service = providers.service;
});
const scenario = webhookScenario(() => service);
const codes = codeScenario(() => service);

type Told = { type: EventType; more: object };

/** The events of a user in the API, oldest first, each validated against the contract. */
async function toldOf(uid: string): Promise<Told[]> {
  const { data } = await scenario.call<{ items: Event[] }>('GET', `/events?uid=${uid}&limit=100`);
  return data.items.reverse().map((event) => {
    expect(differencesFrom(Event, event)).toEqual([]);
    const { user, ...more } = event.data;
    expect(user.uid).toBe(uid);
    return { type: event.type, more };
  });
}

async function during(uid: string, work: () => Promise<unknown>): Promise<Told[]> {
  const before = await toldOf(uid);
  await work();
  return (await toldOf(uid)).slice(before.length);
}

const session = { id: expect.stringMatching(/^[0-9A-Z]{26}$/) };
const byPassword = { ...session, method: 'password' };
const told = (type: EventType, more: object = {}): Told => ({ type, more });
const ended = (reason: string, method = 'password') =>
  told('session.ended', { session: { ...session, method, reason } });
const call = (method: string, path: string, token: string, body?: object) =>
  service.call(method, path, { token, ...(body && { body }) });

test('a sign-up creates a user and a session', async () => {
  const { uid } = await service.signUp();
  expect(await toldOf(uid)).toEqual([told('user.created'), told('session.created', { session: byPassword })]);
});

describe('a user who', () => {
  test('signs in and out causes session events', async () => {
    const user = await service.signUp();
    const happened = await during(user.uid, async () => {
      const { data } = await service.signIn(user);
      await call('POST', '/auth/sign-out', data.access_token);
    });
    expect(happened).toEqual([told('session.created', { session: byPassword }), ended('sign_out')]);
  });

  test('changes the profile, links a provider and unlinks it causes user.updated events only', async () => {
    const { uid, tokens } = await service.signUp();
    const token = tokens.access_token;
    const happened = await during(uid, async () => {
      await call('PATCH', '/me', token, { first_name: 'Ada' });
      const body = await providers.bodyOfA({ claims: { sub: uid } });
      await call('POST', '/me/identities/provider-a', token, body);
      await call('DELETE', '/me/identities/provider-a', token);
    });
    expect(happened.filter(({ type }) => type !== 'user.updated')).toEqual([]);
    expect(happened.length).toBeGreaterThanOrEqual(1);
  });

  test('verifies the email, and changes it, causes one event each', async () => {
    const { uid, email, tokens } = await service.signUp();
    const token = tokens.access_token;
    const confirm = async (code: Promise<string>) => codes.confirm(token, await code);
    const verified = await during(uid, () => confirm(codes.verificationCode({ email, token })));
    expect(verified).toEqual([told('user.email_verified')]);
    const changed = await during(uid, () => confirm(codes.changeCode(token, `next-${email}`)));
    expect(changed).toEqual([told('user.updated')]);
  });

  test('changes the password ends every other session', async () => {
    const user = await service.signUp();
    await service.signIn(user);
    const body = { password: newPassword, current_password: user.password };
    const token = user.tokens.access_token;
    const happened = await during(user.uid, () => call('PUT', '/me/password', token, body));
    const changed = told('user.password_changed', { reason: 'changed' });
    expect(happened).toHaveLength(2);
    expect(happened).toEqual(expect.arrayContaining([changed, ended('password_change')]));
  });

  test('resets the password ends every session', async () => {
    const user = await service.signUp();
    const happened = await during(user.uid, async () =>
      codes.reset(user.email, await codes.resetCode(user.email)),
    );
    const reset = told('user.password_changed', { reason: 'reset' });
    expect(happened).toEqual(expect.arrayContaining([reset, ended('unproven')]));
  });

  test('deletes the account causes user.deleted after the ends of sessions', async () => {
    const { uid, tokens } = await service.signUp();
    const happened = await during(uid, () => call('DELETE', '/me', tokens.access_token));
    expect(happened).toEqual([ended('user_deleted'), told('user.deleted', { reason: 'self' })]);
  });

  test('gets points causes an event with the points and the entry', async () => {
    const { uid } = await service.signUp();
    const body = { points: 250, description: 'Order 1001', reference: 'order-1001' };
    const path = `/users/${uid}/loyalty/entries`;
    const happened = await during(uid, () => scenario.call('POST', path, { body }));
    const entry = { ...body, id: session.id, created_at: expect.any(String) };
    expect(happened).toEqual([told('loyalty.points_changed', { points: 250, entry })]);
  });
});

test('late reuse of a refresh token ends the session', async () => {
  const { uid, tokens } = await service.signUp();
  await service.refresh(tokens.refresh_token);
  service.clock.advance(30_001);
  const happened = await during(uid, () => service.refresh(tokens.refresh_token));
  expect(happened).toEqual([ended('refresh_reuse')]);
});

test('refused calls and calls that change nothing cause no event', async () => {
  const user = await service.signUp();
  const token = user.tokens.access_token;
  const happened = await during(user.uid, async () => {
    await service.signIn({ ...user, password: 'a wrong password' });
    await service.call('POST', '/auth/sign-up', { body: { email: user.email, password: user.password } });
    await call('PATCH', '/me', token, { photo_url: 'http://insecure.example/' });
    await call('POST', '/auth/email/verification/confirm', token, { code: '000000' });
    await call('DELETE', '/me/identities/provider-a', token);
    await service.refresh(user.tokens.refresh_token);
    await call('GET', '/me', token);
  });
  expect(happened).toEqual([]);
});

test('a change is rolled back if its event cannot be written', async () => {
  const { tokens, email, password } = await service.signUp();
  const { prisma } = service.database;
  await prisma.$executeRaw`ALTER TABLE events ADD CONSTRAINT none CHECK (created_at < '2000-01-01') NOT VALID`;
  const [updated, signedUp, deleted, signedIn] = await Promise.all([
    call('PATCH', '/me', tokens.access_token, { first_name: 'Eve' }),
    service.call('POST', '/auth/sign-up', { body: { email: `other-${email}`, password } }),
    call('DELETE', '/me', tokens.access_token),
    service.signIn({ email, password }),
  ]);
  await prisma.$executeRaw`ALTER TABLE events DROP CONSTRAINT none`;
  for (const answer of [updated, signedUp, deleted, signedIn]) expect(answer.status).toBe(500);
  const me = await service.call<{ first_name: string | null }>('GET', '/me', { token: tokens.access_token });
  expect([me.status, me.data.first_name]).toEqual([200, null]);
  expect(await prisma.user.count({ where: { email: `other-${email}` } })).toBe(0);
  expect(await prisma.session.count({ where: { uid: tokens.user.uid } })).toBe(1);
});
