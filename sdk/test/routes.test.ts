// Every endpoint for apps has one method, every method calls its endpoint only, and the compiler checks the result
// types.
import { expect, test } from 'vitest';
import type { Client } from '../src/api.js';
import { signInInAuthSession } from '../src/features/auth-session.js';
import { collection } from '../src/features/collection.js';
import { files } from '../src/features/files.js';
import { v1Migration } from '../src/features/migrate-v1.js';
import { passkeys } from '../src/features/passkeys.js';
import { type Push, push } from '../src/features/push.js';
import { remoteConfig } from '../src/features/remote-config.js';
import { type SecondFactor, secondFactor, secondFactorOf } from '../src/features/second-factor.js';
import { signInByIdToken } from '../src/features/sign-in-by-id-token.js';
import { signInMethods } from '../src/features/sign-in-methods.js';
import { userExport } from '../src/features/user-export.js';
import type { Route } from '../src/generated/routes.js';
import { fakePasskeyDevice } from '../src/testing/fake-passkeys.js';
import { fakeIdToken } from '../src/testing/fake-sign-in.js';
import type { Equal, Holds, Mismatches } from './contract-shapes.js';
import { ada, bob, newClient, signedInClient, useScriptedService } from './harness.js';
import { emailedCode } from './scripted-service.js';

const service = useScriptedService();
const claims = { sub: 'ada', email: 'grace@example.com', email_verified: true, nonce: 'n' };
const proofA = { id_token: fakeIdToken('provider-a', claims), nonce: 'n' };
const proofB = { identity_token: fakeIdToken('provider-b', claims), authorization_code: 'ac', nonce: 'n' };
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
/** The passkeys on a new device. */
const keysOf = (client: Client) => passkeys(client, fakePasskeyDevice(service.api.clock.newId));

/** A method after `prepare`, whose requests are left out. */
async function after<T, R>(prepare: Promise<T>, call: (prepared: T) => Promise<R>): Promise<R> {
  const prepared = await prepare;
  service.requests.splice(1);
  return call(prepared);
}

/** A method whose first request asks for a challenge. */
async function afterChallenge<R>(call: Promise<R>): Promise<R> {
  const result = await call;
  service.requests.splice(1, 1);
  return result;
}

const totp = () => service.api.secondFactor.codeFor(service.api.users.all()[0]!)!;

async function enrolled(client: Client): Promise<SecondFactor> {
  const own = secondFactor(client);
  await own.beginTotp();
  await own.confirmTotp(totp());
  service.api.clock.advance(30_000);
  return own;
}

/** The ticket of an enrolled user. */
async function ticketOf(client: Client): Promise<string> {
  await enrolled(client);
  return secondFactorOf(await client.auth.signIn(ada).catch((error) => error))!.ticket!;
}

/** The ticket of a user who must enroll. */
async function enrollmentTicket(client: Client): Promise<string> {
  service.api.secondFactor.setting.rule = 'required';
  return secondFactorOf(await client.auth.signIn(ada).catch((error) => error))!.ticket!;
}

const notes = (client: Client) => collection(client, 'notes');

/** The compiler requires one entry for every route of the contract, and accepts no other. */
const calls = {
  'GET /auth/methods': (client) => signInMethods(client),
  'POST /auth/sign-up': ({ auth }) => auth.signUp(bob),
  'POST /auth/sign-in': ({ auth }) => auth.signIn(ada),
  'POST /auth/provider-a': ({ auth }) => auth.signInWithProviderA(proofA),
  'POST /auth/provider-b': ({ auth }) => auth.signInWithProviderB(proofB),
  'POST /auth/providers/:provider': (client) => signInByIdToken(client, 'provider-a', proofA),
  'POST /auth/providers/:provider/authorize': (client) => {
    const openAuthSessionAsync = async () => ({ type: 'cancel' });
    return signInInAuthSession(client, 'contoso', { redirectUri: 'app:/signed-in', openAuthSessionAsync });
  },
  'POST /auth/providers/finish': (client) => {
    const openAuthSessionAsync = async (url: string) => ({
      type: 'success',
      url: service.api.redirects.returnFrom(url, claims),
    });
    const options = { redirectUri: 'app:/signed-in', openAuthSessionAsync };
    return afterChallenge(signInInAuthSession(client, 'contoso', options));
  },
  'POST /auth/email-code/send': ({ auth }) => auth.emailCode.send(ada.email),
  'POST /auth/email-code/verify': ({ auth }) => auth.emailCode.verify({ email: ada.email, code }),
  'POST /auth/reauthenticate': ({ auth }) => auth.reauthenticate({ password: ada.password }),
  'POST /auth/password/forgot': ({ auth }) => auth.password.forgot(ada.email),
  'POST /auth/password/reset': ({ auth }) => auth.password.reset({ ...ada, code }),
  'PUT /me/password': ({ me }) =>
    me.changePassword({ password: 'a new one', current_password: ada.password }),
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
  'POST /auth/passkey/options': (client) => {
    const keys = keysOf(client);
    return after(keys.register(), () => keys.proof());
  },
  'POST /auth/passkey/verify': (client) => {
    const keys = keysOf(client);
    return after(keys.register(), () => afterChallenge(keys.signIn()));
  },
  'GET /me/passkeys': (client) => keysOf(client).list(),
  'POST /me/passkeys/options': (client) => keysOf(client).register(),
  'POST /me/passkeys': (client) => afterChallenge(keysOf(client).register()),
  'PATCH /me/passkeys/:id': (client) => {
    const keys = keysOf(client);
    return after(keys.register(), ({ id }) => keys.rename(id, 'Phone'));
  },
  'DELETE /me/passkeys/:id': (client) => {
    const keys = keysOf(client);
    return after(keys.register(), ({ id }) => keys.remove(id));
  },
  'POST /auth/second-factor': (client) =>
    after(ticketOf(client), (ticket) => secondFactor(client).complete({ ticket, totp: totp() })),
  'POST /auth/second-factor/enroll': (client) =>
    after(enrollmentTicket(client), (ticket) => secondFactor(client).enroll(ticket)),
  'POST /auth/second-factor/enroll/confirm': (client) =>
    after(enrollmentTicket(client), (ticket) =>
      secondFactor(client).confirmEnrollment({ ticket, code: totp() }),
    ),
  'GET /me/factors': (client) => secondFactor(client).get(),
  'POST /me/factors/totp': (client) => secondFactor(client).beginTotp(),
  'POST /me/factors/totp/confirm': (client) =>
    after(secondFactor(client).beginTotp(), () => secondFactor(client).confirmTotp(totp())),
  'POST /me/factors/recovery-codes': (client) => after(enrolled(client), (own) => own.newRecoveryCodes()),
  'DELETE /me/factors/totp': (client) => after(enrolled(client), (own) => own.removeTotp()),
  'POST /me/export': (client) => userExport(client).request(),
  'GET /me/export': (client) => userExport(client).get(),
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
  | 'POST /auth/providers/:provider'
  | 'POST /auth/providers/:provider/authorize'
  | 'POST /auth/providers/finish'
  | 'POST /auth/email-code/verify'
  | 'POST /auth/passkey/options'
  | 'POST /auth/passkey/verify'
  | 'POST /me/passkeys/options'
  | 'DELETE /me/passkeys/:id'
  | 'POST /auth/second-factor'
  | 'POST /auth/second-factor/enroll/confirm'
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
  service.files.set(fileId, { id: fileId });
  await call(client);
  const template = new RegExp(`^${route.replace(' ', ' /api/v2').replace(/:\w+/g, '[\\w-]+')}$`);
  // The first request signs Ada up; a reset checks afterwards whether this session was revoked.
  expect(service.requests[1]?.route).toMatch(template);
});
