// The second factor of the team: required by the owners of the service, and removed for a member who lost it.
import type { Passkey, TeamSettings } from '@foyer/contract';
import { beforeAll, expect, test } from 'vitest';
import { testService } from '../../test/harness.js';
import { newAuthenticator, passkeyScenario } from '../../test/passkey-scenario.js';
import { expectRefusal } from '../../test/refusal.js';
import { secondFactorScenario, ticketIn } from '../../test/second-factor-scenario.js';
import { shared } from '../../test/shared.js';
import { memberPassword, type TeamScenario, teamScenario, tokenIn } from '../../test/team-scenario.js';

const service = shared(() => testService());
const factors = secondFactorScenario(() => service);
const passkeys = passkeyScenario(() => service);
let team: TeamScenario;
let appKey: string;
/** Signed in with the second factor. */
let owner: string;
beforeAll(async () => {
  team = await teamScenario(() => service);
  appKey = team.consoleApp.appKey;
});

const change = (body: object, token = owner) =>
  team.call<TeamSettings>('PATCH', '/console/settings', { token, body });
const me = (token: string) => team.call('GET', '/console/me', { token });
async function accepted() {
  const email = team.newEmail();
  const { link } = await team.invite(service.app.app.id, { email, role: 'viewer' }, owner);
  return { email, answer: await team.accept({ token: tokenIn(link) }) };
}
async function newMember() {
  const { email, answer } = await accepted();
  return { email, uid: answer.data.user.uid, token: answer.data.access_token };
}
/** Returns the id of the passkey. */
async function addPasskey(token: string) {
  const { data } = await passkeys.creationOptions(token, { appKey });
  const credential = newAuthenticator().create(data, service.deps.config.baseUrl);
  const added = await team.call<Passkey>('POST', '/me/passkeys', { token, body: { credential } });
  expect(added.status, added.text).toBe(201);
  return added.data.id;
}
const signIn = ({ email }: { email: string }) =>
  service.signIn({ email, password: memberPassword }, { appKey });

test('an owner requires a second factor only from a session that has one', async () => {
  const token = await team.ownerToken();
  expect((await team.call('GET', '/console/settings', { token })).data).toEqual({
    second_factor: 'optional',
  });
  expectRefusal(await change({ second_factor: 'required' }, token), 'auth/second-factor-required');
  await factors.enroll({ token, appKey });
  owner = token;
  expect((await change({ second_factor: 'required' })).data).toEqual({ second_factor: 'required' });
  expect((await change({ second_factor: 'optional' })).data).toEqual({ second_factor: 'optional' });
});

test('a sign-in of a member from before the enrollment is not recent', async () => {
  const member = await team.newOwner();
  const rename = (token: string, name: string) =>
    team.call('PATCH', `/console/apps/${service.app.app.id}`, { token, body: { name } });
  const { data } = await signIn(member);
  expect((await rename(data.access_token, 'Before')).status).toBe(200);
  await factors.enroll({ token: member.token, appKey });
  expectRefusal(await rename(data.access_token, 'Stolen'), 'auth/requires-recent-login');
  expect((await rename(member.token, 'After')).status).toBe(200);
});

test('the requirement refuses the sessions without a second factor at once, until the member enrolls one', async () => {
  const member = await newMember();
  expect((await me(member.token)).status).toBe(200);
  await change({ second_factor: 'required' });
  expectRefusal(await me(member.token), 'auth/second-factor-required');
  expect((await me(owner)).status).toBe(200);
  await factors.enroll({ token: member.token, appKey });
  expect((await me(member.token)).status).toBe(200);
});

test('accepting an invitation is a way in too, and then enrolls a second factor', async () => {
  const { email, answer } = await accepted();
  expect(ticketIn(answer, ['enroll'])).not.toBe(ticketIn(await signIn({ email }), ['enroll']));
});

test('a member who lost the second factor signs in with a new one after an owner has removed it', async () => {
  await change({ second_factor: 'optional' });
  const lost = await newMember();
  await factors.enroll({ token: lost.token, appKey });
  await change({ second_factor: 'required' });
  ticketIn(await signIn(lost));
  const remove = (token: string) => team.call('DELETE', `/console/members/${lost.uid}/factors`, { token });
  expect((await remove(owner)).status).toBe(204);
  expectRefusal(await remove(owner), 'auth/second-factor-not-enrolled');
  expectRefusal(await me(lost.token), 'auth/invalid-token');
  const ticket = ticketIn(await signIn(lost), ['enroll']);
  const { secret } = (await factors.beginWithTicket(ticket, { appKey })).data;
  const completed = await factors.confirmWithTicket(ticket, factors.codeOf(secret), { appKey });
  expect((await me(completed.data.access_token)).status).toBe(200);
});

test.each([
  ['a passkey', false],
  ['an authenticator app and a passkey', true],
])('a member who lost the device with %s enrolls anew after an owner has removed them', async (_, hasApp) => {
  await change({ second_factor: 'optional' });
  const lost = await newMember();
  if (hasApp) {
    const { secret } = (await factors.begin(lost.token, { appKey })).data;
    await factors.confirm(lost.token, factors.codeOf(secret), { appKey });
  }
  const added = [await addPasskey(lost.token), await addPasskey(lost.token)];
  await change({ second_factor: 'required' });
  const ticket = ticketIn(await signIn(lost), hasApp ? ['totp', 'recovery_code', 'passkey'] : ['passkey']);
  const remove = () => team.call('DELETE', `/console/members/${lost.uid}/factors`, { token: owner });
  expect((await remove()).status).toBe(204);
  expectRefusal(await remove(), 'auth/second-factor-not-enrolled');
  expectRefusal(await factors.complete({ ticket, totp: '000000' }, { appKey }), 'auth/invalid-token');
  const enrolling = ticketIn(await signIn(lost), ['enroll']);
  const { secret } = (await factors.beginWithTicket(enrolling, { appKey })).data;
  const completed = await factors.confirmWithTicket(enrolling, factors.codeOf(secret), { appKey });
  expect((await me(completed.data.access_token)).status).toBe(200);

  const entries = await service.auditEntries({ action: 'passkey.removed', uid: lost.uid });
  const removed = new Set(entries.map(({ details }) => (details as { passkey: string }).passkey));
  expect([entries.length, removed]).toEqual([added.length, new Set(added)]);
  expect(entries.every(({ actor }) => actor.startsWith('member:'))).toBe(true);
  const event = { uid: lost.uid, type: 'user.passkey_removed' };
  expect(await service.database.prisma.event.count({ where: event })).toBe(added.length);
  const subjects = (await service.mailbox(lost.email)).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject.startsWith('A passkey was removed from'))).toHaveLength(1);
});

test('a password neither enrolls a second factor beside the passkey of a member nor renews the sign-in time', async () => {
  await change({ second_factor: 'optional' });
  const member = await newMember();
  await addPasskey(member.token);
  await change({ second_factor: 'required' });
  ticketIn(await signIn(member), ['passkey']);
  const reauthenticated = await team.call('POST', '/auth/reauthenticate', {
    token: member.token,
    body: { password: memberPassword },
  });
  expectRefusal(reauthenticated, 'auth/second-factor-required', { factors: ['passkey'] });

  // No browser offers it at another host of BASE_URL.
  const moved = await service.secondInstance({ config: { baseUrl: 'https://moved.test' } });
  try {
    const credentials = { email: member.email, password: memberPassword };
    ticketIn(await moved.signIn(credentials, { appKey }), ['enroll']);
  } finally {
    await moved.stop();
  }
});
