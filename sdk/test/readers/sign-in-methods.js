import assert from 'node:assert/strict';
import * as page from './page.ts';
import { admin, codeFor, connect, fromProvider, linkFor, password } from './service.js';

const client = connect();
const email = 'methods@example.com';
for (const _ of ['sign-up', 'sign-in'])
  assert.equal((await page.signUpOrIn(client, email, password)).user.email, email);
assert.equal(await page.verifyEmail(client, () => codeFor(email)), true);
await page.resetPassword(client, email, 'another password', () => codeFor(email));
const next = 'methods-2@example.com';
const changed = await page.changeEmail(client, next, () => codeFor(next));
assert.deepEqual([changed.email, changed.email_verified], [next, true]);
await page.changePassword(client, 'another password', password);
await page.signOut(client);

const visitor = 'visitor@example.com';
await page.sendCode(client, visitor);
assert.equal((await page.enterCode(client, visitor, await codeFor(visitor))).user.first_name, 'Ada');
await page.signOut(client);

await admin.settings.update({ deep_link: 'https://app.example/sign-in' });
const guest = 'guest@example.com';
await page.sendCode(client, guest);
const link = await linkFor(guest);
assert.equal(await page.openLink(client, 'https://app.example/?tab=1'), 'no-link');
// Twice at once, as in StrictMode; then after a reload.
const opened = await Promise.all([page.openLink(client, link), page.openLink(client, link)]);
assert.deepEqual([...opened, await page.openLink(client, link)], ['signed-in', 'signed-in', 'signed-in']);
assert.equal((await client.me.get()).email, guest);
assert.equal(await page.openLink(connect(), link), 'used-up');

const google = (subject) => async (nonce) => {
  const claims = { aud: 'google-client', sub: subject, email: `${subject}@example.com`, nonce };
  return (await fromProvider(claims)).id_token;
};
await admin.settings.update({ provider_a: { client_ids: { web: ['google-client'] } } });
await page.signOut(client);
assert.equal(await page.withGoogle(client, google('googler')), true);
assert.equal(await page.withGoogle(client, google('googler')), false);
await page.unlinkGoogle(client);
assert.deepEqual(await page.linkedProviders(client), []);
await page.linkGoogle(client, google('other'));
assert.deepEqual(await page.linkedProviders(client), [
  { provider: 'provider-a', email: 'other@example.com' },
]);

const elsewhere = connect();
await elsewhere.auth.signIn({ email: next, password });
await client.auth.signIn({ email: next, password });
assert.ok((await page.endOtherSessions(client)) >= 1);
await assert.rejects(elsewhere.auth.getAccessToken({ forceRefresh: true }));
assert.equal(await page.deleteAccount(client, async () => assert.fail('the sign-in is recent')), true);
assert.deepEqual(client.auth.state, { status: 'signedOut', reason: 'deleted' });
