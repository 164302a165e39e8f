// An app whose ids are those of another app: no call on the one reads or changes anything of the other.
import { beforeAll, describe, expect, test } from 'vitest';
import { codeScenario } from './code-scenario.js';
import type { Answer, CallOptions, TestService, TestUser } from './harness.js';
import { device, formOf, type IsolationScenario, isolationScenario, person } from './isolation-scenario.js';
import { passkeyScenario } from './passkey-scenario.js';
import { type Rows, rowsOfApp } from './rows.js';
import { type Enrolled, secondFactorScenario } from './second-factor-scenario.js';
import { shared } from './shared.js';
import { addTwin, dueTables } from './twin-app.js';
import { v1Scenario } from './v1-scenario.js';

const scenario = shared(isolationScenario);
const current = () => service;
const codes = codeScenario(current);
const factors = secondFactorScenario(current);
const keys = passkeyScenario(current);
const v1 = v1Scenario(current);
let service: TestService;
let ours: IsolationScenario['ours'];
let theirs: IsolationScenario['theirs'];
let enrolled: TestUser & Enrolled;
let leaving: TestUser;
let ownerToken: string;
let twinId: string;
let twin: Rows;
const answers: Record<string, Answer> = {};

const backend = (options: CallOptions = {}): CallOptions => ({ token: ours.app.secretKey, ...options });
const mine = (options: CallOptions = {}): CallOptions => ({
  token: ours.user.tokens.access_token,
  ...options,
});
const token = () => ours.user.tokens.access_token;
const ofEnrolled = () => ({ token: enrolled.tokens.access_token });
const asMember = () => ({ token: ownerToken });
const ofUser = (path = '') => `/admin/users/${ours.user.uid}${path}`;
const ofApp = (path: string) => `/console/apps/${ours.app.app.id}${path}`;
const call = (method: string, path: string, options: CallOptions) => service.call(method, path, options);
const asOwner = (method: string, path: string, options: CallOptions = {}) =>
  theirs.team.call(method, path, { token: ownerToken, ...options });
const get = (path: string, options: () => CallOptions = backend) => ({ path: () => path, options });
const getOfUser = (path: string) => ({ path: () => ofUser(path), options: backend });

const reads: Record<string, { path: () => string; options: () => CallOptions }> = {
  'the profile': get('/me', mine),
  'the sessions': get('/me/sessions', mine),
  'the passkeys': get('/me/passkeys', mine),
  'the identities': get('/me/identities', mine),
  'the second factor': get('/me/factors', ofEnrolled),
  'the export': get('/me/export', mine),
  'the balance': get('/me/loyalty', mine),
  'the ledger': get('/me/loyalty/history', mine),
  'the devices': get('/push/devices', mine),
  'the values of the remote config': get('/config', mine),
  'a record': get('/data/notes/our-record', mine),
  'the records': get('/data/notes', mine),
  'a file': { path: () => `/files/${ours.files.private.id}`, options: mine },
  'the users': get('/admin/users'),
  'the users by email': get('/admin/users?order=email'),
  'a search for users': { path: () => `/admin/users?q=${ours.user.email.split('@')[0]}`, options: backend },
  'the users of a provider': get('/admin/users?provider=provider-a'),
  'a user': getOfUser(''),
  'the sessions of a user': getOfUser('/sessions'),
  'the passkeys of a user': getOfUser('/passkeys'),
  'the identities of a user': getOfUser('/identities'),
  'the sign-in state of a user': getOfUser('/sign-in-state'),
  'the notes on a user': getOfUser('/notes'),
  'the export of a user': getOfUser('/export'),
  'the balance of a user': getOfUser('/loyalty'),
  'the ledger of a user': getOfUser('/loyalty/entries'),
  'the devices of a user': getOfUser('/devices'),
  'the files': get('/admin/files'),
  'the files of a user': { path: () => `/admin/files?owner_uid=${ours.user.uid}`, options: backend },
  'the messages': get('/admin/push/messages'),
  'a message': { path: () => `/admin/push/messages/${ours.messageId}`, options: backend },
  'the receipts of a message': {
    path: () => `/admin/push/messages/${ours.messageId}/receipts`,
    options: backend,
  },
  'the topics': get('/admin/push/topics'),
  'the migration': get('/admin/migration'),
  'the statistics': get('/admin/stats'),
  'the settings': get('/admin/settings'),
  'the remote config': get('/admin/config'),
  'the versions of the remote config': get('/admin/config/versions'),
  'the collections': get('/admin/collections'),
  'a collection': get('/admin/collections/notes'),
  'the webhooks': get('/admin/webhooks'),
  'a webhook': { path: () => `/admin/webhooks/${ours.webhook.id}`, options: backend },
  'the deliveries': { path: () => `/admin/webhooks/${ours.webhook.id}/deliveries`, options: backend },
  'a delivery': {
    path: () => `/admin/webhooks/${ours.webhook.id}/deliveries/${ours.webhook.deliveryId}`,
    options: backend,
  },
  'the events': get('/admin/events'),
  'the audit log': get('/admin/audit-log'),
  'the audit log of a user': { path: () => `/admin/audit-log?uid=${ours.user.uid}`, options: backend },
};

beforeAll(async () => {
  ({ service, ours, theirs } = scenario);
  // A sign-in with an emailed code would remove what the owner of an unverified email has added.
  await call('PATCH', ofUser(), backend({ body: { email_verified: true } }));
  enrolled = await factors.enrolledUser();
  leaving = await service.signUp();
  ownerToken = await theirs.team.ownerToken();
  // The next use is recorded.
  const dayBefore = new Date(service.clock.now().getTime() - 24 * 3_600_000);
  const where = { appId: ours.app.app.id };
  await service.database.prisma.v1Token.updateMany({ where, data: { lastUsedAt: dayBefore } });
  await service.database.prisma.user.updateMany({ where, data: { v1LastUsedAt: dayBefore } });
  await service.deps.auditBuffer.flush();
  for (const [name, { path, options }] of Object.entries(reads))
    answers[name] = await call('GET', path(), options());
  twinId = await addTwin(service.database, ours.app.app.id);
  twin = await rowsOfApp(service.database, twinId);
});

test('the app with the same ids has a row in every table, except those of work that is due', () => {
  expect(Object.keys(twin).filter((name) => twin[name]?.length === 0)).toEqual(dueTables);
});

describe('reads nothing of an app with the same ids:', () => {
  test.each(Object.entries(reads))('%s', async (name, { path, options }) => {
    const { status, json } = await call('GET', path(), options());
    expect([status, json]).toEqual([200, answers[name]?.json]);
  });
});

/** In this order: a call may end what an earlier one used. */
const writes: Record<string, () => Promise<Answer>> = {
  'a change of the profile': () => call('PATCH', '/me', mine({ body: { first_name: 'New' } })),
  'a change of the profile to what it is': () => call('PATCH', '/me', mine({ body: { first_name: 'New' } })),
  'a sign-in': () => service.signIn(ours.user),
  'a refresh': () => service.refresh(ours.user.tokens.refresh_token),
  'a reauthentication': () => codes.reauthenticate(token(), { password: ours.user.password }),
  'a sign-in with an emailed code': async () =>
    codes.verify(ours.user.email, await codes.signInCode(ours.user.email)),
  'a sign-in with a passkey': async () => keys.signIn(await ours.passkey.assertion(ours.app)),
  'a sign-in with a provider': async () =>
    call('POST', '/auth/provider-a', { body: await scenario.providers.bodyOfA({ claims: person }) }),
  'a sign-in with an authenticator app': async () =>
    factors.complete({ ticket: await factors.ticketOf(enrolled), totp: factors.codeOf(enrolled.secret) }),
  'new recovery codes': () => call('POST', '/me/factors/recovery-codes', ofEnrolled()),
  'the removal of an authenticator app': () => factors.remove(enrolled.tokens.access_token),
  'a sign-in with v1': () => v1.call('POST', '/login', { body: leaving }),
  'a call with a token of v1': () => v1.me(ours.v1Token),
  'the exchange of a token of v1': () => v1.exchange(ours.v1Token),
  'a new name of a passkey': () => keys.rename(token(), ours.passkey.id, 'New'),
  'the removal of a passkey': () => keys.remove(token(), ours.passkey.id),
  'the removal of a provider': () => call('DELETE', '/me/identities/provider-a', mine()),
  'a registration of a known device': () =>
    call('POST', '/push/devices', mine({ body: { ...device, token: 'device-of-ours-linked' } })),
  'a subscription': () => call('PUT', `/push/devices/${ours.devices.linked}/topics/news`, mine()),
  'the end of a subscription': () => call('DELETE', `/push/devices/${ours.devices.free}/topics/news`, {}),
  'the removal of a device': () => call('DELETE', `/push/devices/${ours.devices.linked}`, mine()),
  'an upload': () => call('POST', '/files', mine({ form: formOf() })),
  'the removal of a file': () => call('DELETE', `/files/${ours.files.public.id}`, mine()),
  'a change of a record': () =>
    call('PATCH', '/data/notes/our-record', mine({ body: { fields: { of: 1 } } })),
  'the removal of a record': () => call('DELETE', '/data/notes/our-record', mine()),
  'a change of a user': () => call('PATCH', ofUser(), backend({ body: { last_name: 'New' } })),
  'new claims': () => call('PUT', ofUser('/claims'), backend({ body: { claims: { plan: 'pro' } } })),
  'a note': () => call('POST', ofUser('/notes'), backend({ body: { text: 'New' } })),
  'an entry of the ledger': () =>
    call('POST', ofUser('/loyalty/entries'), backend({ body: { points: 3, description: 'New' } })),
  'the lifting of limits': () => call('POST', ofUser('/lift-limits'), backend()),
  'a new version of the remote config': () =>
    call('PUT', '/admin/config', backend({ headers: { 'if-match': '*' }, body: { parameters: {} } })),
  'a change of a collection': () =>
    call('PATCH', '/admin/collections/notes', backend({ body: { indexed_fields: ['of', 'to'] } })),
  'the removal of a collection': () => call('DELETE', '/admin/collections/notes', backend()),
  'a change of a webhook': () =>
    call('PATCH', `/admin/webhooks/${ours.webhook.id}`, backend({ body: { description: 'New' } })),
  'a new secret of a webhook': () =>
    call('POST', `/admin/webhooks/${ours.webhook.id}/rotate-secret`, backend()),
  'the removal of a webhook': () => call('DELETE', `/admin/webhooks/${ours.webhook.id}`, backend()),
  'the end of a session': () => call('DELETE', ofUser(`/sessions/${ours.sessionId}`), backend()),
  'a new password': async () => codes.reset(ours.user.email, await codes.resetCode(ours.user.email)),
  'the end of every session': () => call('POST', ofUser('/revoke-sessions'), backend()),
  'a new role of a member': () =>
    asOwner('PATCH', ofApp(`/members/${ours.memberUid}`), { body: { role: 'admin' } }),
  'the removal of a member': () => asOwner('DELETE', ofApp(`/members/${ours.memberUid}`)),
  'the revocation of an invitation': () => asOwner('DELETE', ofApp(`/invitations/${ours.invitationId}`)),
  'an export': async () => {
    expect((await call('POST', '/me/export', ofEnrolled())).status).toBe(202);
    await service.advance(0);
    const { json } = await call('GET', '/me/export', ofEnrolled());
    const { data } = await service.call<{ url: string }>(
      'GET',
      `/files/${json.data.file_id}/url`,
      ofEnrolled(),
    );
    const { pathname, search } = new URL(data.url);
    return call('GET', `${pathname.replace('/api/v2', '')}${search}`, { appKey: null });
  },
  'the removal of an account': async () => {
    const answer = await codes.deleteAccount(leaving.tokens.access_token);
    // As before a batch of the purge has cleared it.
    const where = { appId: ours.app.app.id, uid: leaving.uid };
    await service.database.prisma.auditLog.updateMany({ where, data: { ip: '203.0.113.7' } });
    const log = await call('GET', `/admin/audit-log?uid=${leaving.uid}`, backend());
    const others = log.json.data.items.filter(({ action }: { action: string }) => action !== 'user.deleted');
    expect(new Set(others.map(({ ip_address }: { ip_address: unknown }) => ip_address))).toEqual(
      new Set([null]),
    );
    return answer;
  },
  'the revocation of a secret key': () => call('DELETE', `/admin/keys/${ours.secretKeyId}`, asMember()),
};

describe('changes nothing of an app with the same ids:', () => {
  test.each(Object.entries(writes))('%s', async (_, write) => {
    const answer = await write();
    expect([answer.status < 300, answer.code]).toEqual([true, undefined]);
    expect(answer.text ?? '').not.toContain('Twin');
    await service.advance(1_000);
    const before = twin;
    twin = await rowsOfApp(service.database, twinId);
    expect(twin).toEqual(before);
  });
});
