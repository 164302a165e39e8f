// Two apps: ours, which is attacked and has a row in every table, and theirs, whose keys the attacker holds. The
// attempts on each route are in isolation-of-clients.ts and isolation-of-backends.ts.
import type { ErrorCode } from '@foyer/contract';
import { decodeJwt } from 'jose';
import { expect } from 'vitest';
import type { NewApp } from '../src/apps/create-app.js';
import type { CodePurpose } from '../src/codes/store.js';
import { importFile } from '../src/v1/import/import-file.js';
import { codeScenario } from './code-scenario.js';
import type { Sent } from './contract-routes.js';
import type { Answer, CallOptions, TestService } from './harness.js';
import { passkeyScenario, passkeys } from './passkey-scenario.js';
import { providerScenario, settings } from './provider-scenario.js';
import { redirectUri } from './redirect-scenario.js';
import { secondFactorScenario } from './second-factor-scenario.js';
import { teamScenario } from './team-scenario.js';
import { exportedUser, linesOf } from './v1-export.js';
import { noPause } from './v1-import-scenario.js';
import { v1Scenario } from './v1-scenario.js';

/** One of each visibility, and the query of the private one's signed URL. */
type Files = { private: { id: string }; public: { id: string }; query: string };
type Hook = { id: string; deliveryId: string };

export type IsolationScenario = Awaited<ReturnType<typeof isolationScenario>>;

export type Attempt = ReturnType<typeof attempt>;

export const attempt = (
  /** What the attacker sends in addition to the app key, which is always theirs. */
  sent: Sent | (() => Promise<Sent>),
  /** The expected answer: a refusal, or a check of what the call did within their own app. */
  answered: ErrorCode | ((answer: Answer) => void | Promise<void>),
) => ({ sent, answered });

/** Our user's account at provider A. */
export const person = { sub: 'our-person', email: 'our-person@example.com' };
export const device = { provider: 'fcm', platform: 'android' };
export const idempotencyKey = 'of our backend';
/** Values of our remote config and settings that no answer to the attacker contains. */
export const ourBanner = 'of our app alone';
export const ourDeepLink = 'https://of-our-app.example/in';
/** The only page of both apps. */
const passkeyOrigin = 'http://localhost';
/** A public IP address that no test calls. */
export const receiverUrl = 'https://93.184.215.14/hooks';

export function formOf(fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob(['hello']), 'file.txt');
  return form;
}

export const expectStatus = (status: number) => (answer: Answer) => expect(answer.status).toBe(status);

export async function isolationScenario() {
  const providers = await providerScenario();
  const { service } = providers;
  const other = await service.newApp('Theirs');
  await providers.set(settings, other);
  await providers.set({ redirect_uris: [redirectUri] });
  const keys = passkeyScenario(() => service);
  // The same relying party, as two apps of one team have it; without a host that a check would call.
  for (const app of [service.app, other])
    await keys.enable({ ...passkeys, rp_id: 'localhost', origins: [passkeyOrigin] }, app);

  async function done<Data = unknown>(status: number, ...call: Parameters<TestService['call']>) {
    const answer = await service.call<Data>(...call);
    expect([call[0], call[1], answer.status, answer.code]).toEqual([call[0], call[1], status, undefined]);
    return answer.data;
  }
  const asOurs = <Data = unknown>(status: number, method: string, path: string, options: CallOptions = {}) =>
    done<Data>(status, method, path, { token: service.app.secretKey, ...options });

  async function filesOf(token: string, appKey = service.app.app.appKey): Promise<Files> {
    const one = (visibility: string) =>
      done<{ id: string }>(201, 'POST', '/files', { token, appKey, form: formOf({ visibility }) });
    const files = { private: await one('private'), public: await one('public') };
    const path = `/files/${files.private.id}/url`;
    const { url } = await done<{ url: string }>(200, 'GET', path, { token, appKey });
    return { ...files, query: new URL(url).search };
  }

  async function webhookOf(app: NewApp): Promise<Hook> {
    const sent = { token: app.secretKey, appKey: app.app.appKey };
    const body = { url: receiverUrl };
    const { id } = await done<{ id: string }>(201, 'POST', '/admin/webhooks', { ...sent, body });
    const test = await done<{ id: string }>(200, 'POST', `/admin/webhooks/${id}/test`, sent);
    return { id, deliveryId: test.id };
  }

  const user = await service.signUp();
  const token = user.tokens.access_token;
  for (const app of [service.app, other]) await service.changeSettings({ second_factor: 'optional' }, app);
  await service.changeSettings({ refuse_common_passwords: true });
  const factors = secondFactorScenario(() => service);
  const enrolled = await service.signUp();
  const { secret } = (await factors.begin(enrolled.tokens.access_token)).data;
  expect((await factors.confirm(enrolled.tokens.access_token, factors.codeOf(secret))).status).toBe(200);
  const linked = { token, body: await providers.bodyOfA({ claims: person }) };
  await done(201, 'POST', '/me/identities/provider-a', linked);
  const passkey = await keys.register(token, { at: passkeyOrigin });
  // The challenge that this session used up has a row.
  await keys.signIn(await keys.assertion(passkey.device, {}, passkeyOrigin));
  const scenario = codeScenario(() => service);
  const codes: Record<CodePurpose, string> = {
    sign_in: await scenario.signInCode(user.email),
    reset: await scenario.resetCode(user.email),
    verification: await scenario.verificationCode({ email: user.email, token }),
    email_change: await scenario.changeCode(token, 'next@example.com'),
  };
  const entry = { body: { points: 7, description: 'Of our app' } };
  await asOurs(201, 'POST', `/admin/users/${user.uid}/loyalty/entries`, entry);
  await asOurs(201, 'POST', `/admin/users/${user.uid}/notes`, { body: { text: 'Of our app' } });
  await asOurs(200, 'PATCH', '/admin/settings', {
    body: { deep_link: ourDeepLink, push: { web_push: { subject: 'mailto:push@example.com' } } },
  });
  // Enough versions that their app has none with the number of our last one.
  for (const times of [1, 2, 3, 4]) {
    const parameters = { banner: { type: 'string', value: `${ourBanner} ${times}` } };
    await asOurs(200, 'PUT', '/admin/config', { headers: { 'if-match': '*' }, body: { parameters } });
  }
  const memberId = 'member-of-ours';
  const made = { email: 'made@example.com', member_id: memberId };
  await asOurs(201, 'POST', '/admin/users', { headers: { 'idempotency-key': idempotencyKey }, body: made });

  const register = (name: string, sent?: string) =>
    done<{ id: string }>(201, 'POST', '/push/devices', {
      token: sent,
      body: { ...device, token: `device-of-ours-${name}` },
    });
  const devices = { linked: (await register('linked', token)).id, free: (await register('free')).id };
  await done(204, 'PUT', `/push/devices/${devices.free}/topics/news`);
  const message = { body: { all: true, data: { text: 'ours' } } };
  const { id: messageId } = await asOurs<{ id: string }>(202, 'POST', '/admin/push/send', message);

  const v1Token = await v1Scenario(() => service).logIn(user);
  async function* exported() {
    yield Buffer.from(linesOf([exportedUser(1_000)]));
  }
  const listener = { refused: () => {}, noted: () => {}, progress: () => {} };
  await importFile({ ...service.deps, ...noPause }, service.app.app, { open: exported }, listener);

  const declared = { name: 'notes', access_mode: 'shared', indexed_fields: ['of'] };
  await asOurs(201, 'POST', '/admin/collections', { body: declared });
  await done(201, 'PUT', '/data/notes/our-record', { token, body: { fields: { of: user.uid } } });
  const files = await filesOf(token);
  await done(202, 'POST', '/me/export', { token });

  const appKey = other.app.appKey;
  const attacker = await service.signUp({ appKey });
  const theirFiles = await filesOf(attacker.tokens.access_token, appKey);
  // A deleted account whose events are not yet cleared.
  const { tokens: leaving } = await service.signUp();
  await done(204, 'DELETE', '/me', { token: leaving.access_token });
  // Before a webhook exists, which would be called: the hourly count of users, and the sending of the message.
  await service.advance(0);
  const webhook = await webhookOf(service.app);
  await asOurs(202, 'POST', `/admin/webhooks/${webhook.id}/replay`, {
    body: { since: '2026-01-01T00:00:00Z' },
  });

  const team = await teamScenario(() => service);
  const { uid: memberUid } = await team.newMember(service.app.app.id, 'viewer');
  const { id: invitationId } = await team.invite(service.app.app.id, {
    email: team.newEmail(),
    role: 'viewer',
  });

  const { id: secretKeyId } = await service.database.prisma.secretKey.findFirstOrThrow({
    where: { appId: service.app.app.id },
  });
  await service.deps.dailyCounters.flush();

  const tokens = new Set([attacker.tokens.access_token]);
  return {
    service,
    providers,
    stop: providers.stop,
    ours: {
      app: service.app,
      user,
      /** Of a user with a second factor. */
      ticket: await factors.ticketOf(enrolled),
      sessionId: decodeJwt(token).sid as string,
      memberId,
      codes,
      /** A passkey, and assertions of its device over challenges of either app. */
      passkey: {
        id: passkey.passkey.id,
        credential: passkey.credential,
        assertion: (app: NewApp) => keys.assertion(passkey.device, { appKey: app.app.appKey }, passkeyOrigin),
      },
      files,
      /** One linked to our user and one without a user. */
      devices,
      messageId,
      v1Token,
      webhook,
      /** A member of our team, and a pending invitation to it. */
      memberUid,
      invitationId,
      secretKeyId,
    },
    theirs: {
      app: other,
      user: attacker,
      files: theirFiles,
      webhook: await webhookOf(other),
      /** An owner of their app, who does not own the service. */
      owner: await team.newMember(other.app.id, 'owner'),
      team,
      /** The token of another user of theirs, for calls that end the account or session. */
      async spare() {
        const { access_token } = (await service.signUp({ appKey })).tokens;
        tokens.add(access_token);
        return access_token;
      },
      /** Whether the token belongs to a user of theirs. */
      signedIn: (sent: string) => tokens.has(sent),
    },
  };
}
