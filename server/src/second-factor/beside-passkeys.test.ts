// The second step of users who have passkeys: which of them is both steps, and what a ticket offers beside them.
import { expect, test } from 'vitest';
import { claimsOf, type TestUser, testService } from '../../test/harness.js';
import {
  type Authenticator,
  flag,
  forged,
  passkeyScenario,
  passkeys as relyingParty,
} from '../../test/passkey-scenario.js';
import { expectRefusal } from '../../test/refusal.js';
import { type CompletedAnswer, secondFactorScenario, ticketIn } from '../../test/second-factor-scenario.js';
import { shared } from '../../test/shared.js';

const service = shared(async () => {
  const started = await testService();
  await passkeyScenario(() => started).enable();
  return started;
});
const passkeys = passkeyScenario(() => service);
const factors = secondFactorScenario(() => service);
const rule = (second_factor: 'optional' | 'required') => service.changeSettings({ second_factor });

async function signInUnverified(device: Authenticator) {
  const assertion = forged(device, await passkeys.assertion(device), { flags: flag.userPresent });
  return service.call<CompletedAnswer>('POST', '/auth/passkey/verify', { body: { credential: assertion } });
}

test('a passkey that did not verify the user is the first step of an enrolled one', async () => {
  await rule('optional');
  const { user, device } = await passkeys.userWithPasskey();
  const { secret } = await factors.enroll({ token: user.tokens.access_token });
  const ticket = ticketIn(await signInUnverified(device));
  const answer = await factors.complete({ ticket, totp: factors.codeOf(secret) });
  expect([answer.status, answer.code]).toEqual([200, undefined]);
  expect(claimsOf(answer.data.access_token).amr).toEqual(['swk', 'user', 'otp', 'mfa']);
});

test('a sign-in with a passkey that is removed before the second step is refused', async () => {
  await rule('optional');
  const { user, device, passkey } = await passkeys.userWithPasskey();
  const { secret } = await factors.enroll({ token: user.tokens.access_token });
  const ticket = ticketIn(await signInUnverified(device));
  const at = `/admin/users/${user.uid}/passkeys/${passkey.id}`;
  expect((await service.call('DELETE', at, { token: service.app.secretKey })).status).toBe(204);
  expectRefusal(await factors.complete({ ticket, totp: factors.codeOf(secret) }), 'auth/invalid-token');
});

test('the ticket of an enrolled user with a passkey offers it beside the codes', async () => {
  await rule('optional');
  const { user, device } = await passkeys.userWithPasskey();
  const { secret } = await factors.enroll({ token: user.tokens.access_token });
  const ticket = ticketIn(await service.signIn(user), ['totp', 'recovery_code', 'passkey']);
  const byPasskey = await passkeys.signIn(await passkeys.assertion(device));
  expect(claimsOf(byPasskey.data.access_token).amr).toEqual(['swk', 'user', 'mfa']);
  expect((await factors.complete({ ticket, totp: factors.codeOf(secret) })).status).toBe(200);
  await passkeys.enable(null);
  try {
    ticketIn(await service.signIn(user));
  } finally {
    await passkeys.enable();
  }
});

test('where a factor is required, a user with nothing but a passkey signs in with it, and enrolls nothing else', async () => {
  await rule('optional');
  const { user, device } = await passkeys.userWithPasskey();
  await rule('required');
  const ticket = ticketIn(await service.signIn(user), ['passkey']);
  expectRefusal(await factors.beginWithTicket(ticket), 'auth/invalid-token');
  expectRefusal(await factors.confirmWithTicket(ticket, '000000'), 'auth/invalid-token');
  for (const proof of [{ totp: '000000' }, { recovery_code: 'aaaaa-aaaaa' }])
    expectRefusal(await factors.complete({ ticket, ...proof }), 'auth/invalid-token');
  const answer = await passkeys.signIn(await passkeys.assertion(device));
  expect(claimsOf(answer.data.access_token).amr).toContain('mfa');
  // A passkey of another kind is one factor, so its user enrolls a second.
  ticketIn(await signInUnverified(device), ['enroll']);
});

const otherParty = { ...relyingParty, rp_id: 'example.org', origins: ['https://example.org'] };
const reauthenticate = ({ tokens, password }: TestUser) =>
  service.call('POST', '/auth/reauthenticate', { token: tokens.access_token, body: { password } });

test('where a factor is required, a user with a passkey of a former relying party enrolls one', async () => {
  await rule('optional');
  const { user } = await passkeys.userWithPasskey();
  const moved = await passkeys.userWithPasskey();
  await rule('required');
  await passkeys.enable(otherParty);
  let unused = '';
  try {
    expect((await reauthenticate(user)).status).toBe(200);
    unused = ticketIn(await service.signIn(user), ['enroll']);
    const ticket = ticketIn(await service.signIn(moved.user), ['enroll']);
    const { secret } = (await factors.beginWithTicket(ticket)).data;
    const enrolled = await factors.confirmWithTicket(ticket, factors.codeOf(secret));
    expect([enrolled.status, enrolled.code]).toEqual([200, undefined]);
  } finally {
    await passkeys.enable();
  }
  expectRefusal(await reauthenticate(user), 'auth/second-factor-required', { factors: ['passkey'] });
  ticketIn(await service.signIn(user), ['passkey']);
  expectRefusal(await factors.beginWithTicket(unused), 'auth/invalid-token');
  expectRefusal(await factors.confirmWithTicket(unused, '000000'), 'auth/invalid-token');
  ticketIn(await service.signIn(moved.user), ['totp', 'recovery_code', 'passkey']);
});

test('a passkey that an earlier release stored is of the current relying party, and of no other once it was used', async () => {
  await rule('optional');
  const { user, device, passkey } = await passkeys.userWithPasskey();
  const { passkey: stored } = service.database.prisma;
  const where = { appId_id: { appId: service.app.app.id, id: passkey.id } };
  const rpId = async () => (await stored.findUnique({ where }))?.rpId;
  expect(await rpId()).toBe('example.com');
  await stored.update({ where, data: { rpId: null } });
  await rule('required');
  await passkeys.enable(otherParty);
  try {
    ticketIn(await service.signIn(user), ['passkey']);
    await passkeys.enable();
    expect((await passkeys.signIn(await passkeys.assertion(device))).status).toBe(200);
    expect(await rpId()).toBe('example.com');
    await passkeys.enable(otherParty);
    ticketIn(await service.signIn(user), ['enroll']);
  } finally {
    await passkeys.enable();
  }
});
