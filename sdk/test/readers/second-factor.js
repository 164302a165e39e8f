import assert from 'node:assert/strict';
import { secondFactor } from '@foyer/sdk';
import * as page from './page.ts';
import { admin, connect, password, totpOf } from './service.js';

await admin.settings.update({ second_factor: 'optional' });
const client = connect();
const account = { email: 'factor@example.com', password };
await client.auth.signUp(account);
assert.equal(await page.firstStep(() => client.auth.signIn(account)), null);
assert.equal(await page.isEnrolled(client), false);
let secret = '';
const show = async (enrollment) => {
  ({ secret } = enrollment);
  assert.ok(enrollment.uri.startsWith('otpauth://totp/'));
  return totpOf(secret);
};
const recoveryCodes = await page.enroll(client, async () => password, show);
assert.equal(recoveryCodes.length, 10);
assert.equal(await page.isEnrolled(client), true);
await client.auth.signOut();

const wrong = [];
await page.signIn(client, account, async (isWrong) => {
  wrong.push(isWrong);
  // The code of the enrolment is used up.
  return isWrong ? totpOf(secret, 1) : totpOf(secret);
});
assert.deepEqual(wrong, [false, true]);
await client.auth.signOut();

const ticket = await page.firstStep(() => client.auth.signIn(account));
await assert.rejects(page.secondStep(client, ticket, '000000'), { code: 'auth/invalid-code' });
await secondFactor(client).complete({ ticket, recovery_code: recoveryCodes[0] });
assert.equal(client.auth.state.status, 'signedIn');
await page.removeSecondFactor(client, async () => assert.fail('the sign-in is recent'));
assert.equal(await page.isEnrolled(client), false);

await admin.settings.update({ second_factor: 'required' });
const late = connect();
const toEnroll = await page.firstStep(() => late.auth.signIn(account));
assert.equal((await page.enrollAtSignIn(late, toEnroll, show)).length, 10);
assert.equal(late.auth.state.status, 'signedIn');
await admin.settings.update({ second_factor: 'off' });
