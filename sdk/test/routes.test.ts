// Every endpoint for apps has one method, every method calls its endpoint only, and the compiler checks the result
// types.
import { expect, test } from 'vitest';
import type { Client } from '../src/api.js';
import { collection } from '../src/collection.js';
import { files } from '../src/files.js';
import type { FileInfo } from '../src/generated/models.js';
import type { Route } from '../src/generated/routes.js';
import { v1Migration } from '../src/migrate-v1.js';
import { type Push, push } from '../src/push.js';
import { remoteConfig } from '../src/remote-config.js';
import { fakeIdToken } from '../src/testing/fake-sign-in.js';
import type { Equal, Holds, Mismatches } from './contract-shapes.js';
import { ada, bob, newClient, signedInClient, useScriptedService } from './harness.js';
import { emailedCode } from './scripted-service.js';

const service = useScriptedService();
const claims = { sub: 'ada', email: 'grace@example.com', email_verified: true, nonce: 'n' };
const proofA = { idToken: fakeIdToken('provider-a', claims), nonce: 'n' };
const proofB = { identityToken: fakeIdToken('provider-b', claims), authorizationCode: 'ac', nonce: 'n' };
const code = emailedCode;
const fileId = '01JC4Q7M0RZ9X2V5T8W3Y6K1NB';

const phone = { provider: 'fcm', platform: 'android', token: 'token-1' } as const;

/** A method of a registered device. */
async function registered(client: Client, call: (device: Push) => Promise<unknown>): Promise<void> {
  const device = push(client);
  await device.register(phone);
  service.requests.splice(1);
  await call(device);
}
const notes = (client: Client) => collection(client, 'notes');

/** The compiler requires one entry for every route of the contract, and accepts no other. */
const calls = {
  'POST /auth/sign-up': ({ auth }) => auth.signUp(bob),
  'POST /auth/sign-in': ({ auth }) => auth.signIn(ada),
  'POST /auth/provider-a': ({ auth }) => auth.signInWithProviderA(proofA),
  'POST /auth/provider-b': ({ auth }) => auth.signInWithProviderB(proofB),
  'POST /auth/email-code/send': ({ auth }) => auth.emailCode.send(ada.email),
  'POST /auth/email-code/verify': ({ auth }) => auth.emailCode.verify({ email: ada.email, code }),
  'POST /auth/reauthenticate': ({ auth }) => auth.reauthenticate({ password: ada.password }),
  'POST /auth/password/forgot': ({ auth }) => auth.password.forgot(ada.email),
  'POST /auth/password/reset': ({ auth }) => auth.password.reset({ ...ada, code }),
  'PUT /me/password': ({ me }) => me.changePassword({ password: 'a new one', currentPassword: ada.password }),
  'POST /auth/token/refresh': ({ auth }) => auth.getAccessToken({ forceRefresh: true }),
  'POST /auth/token/from-v1': () =>
    newClient({
      migrateV1: v1Migration({ read: () => 'v1', clear: () => {} }),
    }).auth.ready(),
  'POST /auth/sign-out': ({ auth }) => auth.signOut(),
  'POST /auth/sign-out-all': ({ auth }) => auth.signOut({ everywhere: true }),
  'GET /me/loyalty': ({ me }) => me.loyalty(),
  'GET /me/loyalty/history': ({ me }) => me.loyaltyHistory(),
  'GET /config': (client) => remoteConfig(client).get(),
  'GET /me/sessions': ({ me }) => me.sessions(),
  'DELETE /me/sessions/:id': ({ me }) => me.endSession(service.sessions[0]!.id),
  'GET /me': ({ me }) => me.get(),
  'PATCH /me': ({ me }) => me.update({ first_name: 'Ada' }),
  'DELETE /me': ({ me }) => me.delete(),
  'POST /me/email': ({ me }) => me.changeEmail('ada@example.org'),
  'POST /auth/email/verification/send': ({ auth }) => auth.verification.send(),
  'POST /auth/email/verification/confirm': ({ auth }) => auth.verification.confirm(code),
  'POST /push/devices': (client) => push(client).register(phone),
  'GET /push/devices': (client) => push(client).devices(),
  'DELETE /push/devices/:id': (client) => registered(client, (device) => device.unregister()),
  'PUT /push/devices/:id/topics/:topic': (client) => registered(client, (device) => device.subscribe('news')),
  'DELETE /push/devices/:id/topics/:topic': (client) =>
    registered(client, (device) => device.unsubscribe('news')),
  'GET /push/web-key': (client) => push(client).webKey(),
  'GET /me/identities': ({ me }) => me.identities(),
  'POST /me/identities/:provider': ({ me }) => me.linkIdentity('provider-b', proofB),
  'POST /files': (client) => files(client).upload(new Blob(['hello'])),
  'GET /files/:id': (client) => files(client).get(fileId),
  'GET /files/:id/url': (client) => files(client).url(fileId),
  'DELETE /files/:id': (client) => files(client).delete(fileId),
  'DELETE /me/identities/:provider': ({ me }) => me.unlinkIdentity('provider-a'),
  'POST /data/:collection': (client) => notes(client).create({ title: 'a' }),
  'GET /data/:collection': (client) => notes(client).list(),
  'GET /data/:collection/:id': (client) => notes(client).get('a'),
  'PUT /data/:collection/:id': (client) => notes(client).replace('a', { title: 'a' }),
  'PATCH /data/:collection/:id': (client) => notes(client).merge('kept', { title: 'a' }),
  'DELETE /data/:collection/:id': (client) => notes(client).delete('kept'),
  'POST /data/:collection/query': (client) => notes(client).query().where('title', '==', 'a'),
} satisfies Record<Route, (client: Client) => PromiseLike<unknown>>;

/** Methods with a result type of the SDK's own: a session, a token, parsed values, or null for not found. */
type OwnResults =
  | 'POST /auth/sign-up'
  | 'POST /auth/sign-in'
  | 'POST /auth/provider-a'
  | 'POST /auth/provider-b'
  | 'POST /auth/email-code/verify'
  | 'POST /auth/reauthenticate'
  | 'POST /auth/token/refresh'
  | 'POST /auth/token/from-v1'
  | 'POST /auth/sign-out'
  | 'POST /auth/sign-out-all'
  | 'GET /config'
  | 'GET /push/web-key'
  | 'GET /data/:collection/:id';

/** Every other method resolves to the contract's response. */
type _Answers = Holds<Equal<Mismatches<typeof calls>, OwnResults>>;

test.each(Object.entries(calls))('%s is called by its method', async (route, call) => {
  const client = await signedInClient();
  const { api } = service;
  api.records.write('notes', 'kept', {}, null);
  api.signIn.link(api.users.all()[0]!, 'provider-a', claims);
  const { uid } = api.users.all()[0]!.user;
  api.files.set(fileId, { info: { id: fileId, owner_uid: uid } as FileInfo, bytes: new Uint8Array() });
  await call(client);
  const template = new RegExp(`^${route.replace(' ', ' /api/v2').replace(/:\w+/g, '[\\w-]+')}$`);
  // The first request signs Ada up; a reset checks afterwards whether this session was revoked.
  expect(service.requests[1]?.route).toMatch(template);
});
